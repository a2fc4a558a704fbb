import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { useState } from 'react';
import { CountryField } from '../../../paying/card/billing-fields.tsx';
import { methodName, methodTitle } from '../../../paying/methods/method-words.ts';
import { FormDialog } from '../../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../../text/common.ts';
import { TextInput } from '../../../ui/fields/text-input.tsx';
import { methodCalls } from '../calls.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { changeOf, type EditName, editable, editDraftOf, editProblems } from './edit-model.ts';

interface EditDialogProps {
  readonly source: SavedSource;
  readonly paths: NonNullable<PaymentDetails['paths']>;
  /** Members the gateway changes. */
  readonly edit: readonly string[];
  /** Those of them that it must know. */
  readonly needs: readonly string[];
  /** It is over; the changed method when it was changed. */
  readonly onDone: (changed: SavedSource | undefined) => Promise<void>;
  readonly onClose: () => void;
}

const inputs = {
  expMonth: { label: 'edit.month', maxLength: 2, inputMode: 'numeric', autoComplete: 'cc-exp-month' },
  expYear: { label: 'edit.year', maxLength: 4, inputMode: 'numeric', autoComplete: 'cc-exp-year' },
  name: { label: 'edit.name', maxLength: 200, autoComplete: 'name' },
  email: { label: 'edit.email', maxLength: 320, type: 'email', autoComplete: 'email' },
  phone: { label: 'edit.phone', maxLength: 40, type: 'tel', autoComplete: 'tel' },
  line1: { label: 'edit.line1', maxLength: 200, autoComplete: 'billing address-line1' },
  line2: { label: 'edit.line2', maxLength: 200, autoComplete: 'billing address-line2' },
  city: { label: 'edit.city', maxLength: 100, autoComplete: 'billing address-level2' },
  state: { label: 'edit.state', maxLength: 100, autoComplete: 'billing address-level1' },
  postalCode: { label: 'edit.postalCode', maxLength: 20, autoComplete: 'billing postal-code' },
} as const;

/** Expiry, name and address of a saved method, as far as its gateway changes them. */
export function EditDialog({ source, paths, edit, needs, onDone, onClose }: EditDialogProps) {
  const names = editable(source, edit);
  const [draft, setDraft] = useState(() => editDraftOf(source));
  const problems = editProblems(draft, names, needs, new Date());
  const change = (name: EditName, text: string) => setDraft((before) => ({ ...before, [name]: text }));
  const save = async () => {
    const wanted = changeOf(source, draft, names);
    if (wanted === undefined) return onClose();
    const changed = await methodCalls.change(paths, wanted).catch((error: unknown) => {
      // The specification wants it closed, and the failure in the log only (payments §4).
      globalThis.reportError?.(error);
      return undefined;
    });
    await onDone(changed);
  };
  const input = (name: Exclude<EditName, 'country'>) => {
    if (!names.includes(name)) return null;
    const { label, ...more } = inputs[name];
    return (
      <TextInput
        key={name}
        id={`edit-${name}`}
        name={name}
        label={t(label)}
        {...more}
        value={draft[name]}
        error={problems[name]}
        onChange={(event) => change(name, event.currentTarget.value)}
      />
    );
  };
  return (
    <FormDialog
      title={t('edit.card', { method: source.kind === 'card' ? methodTitle(source) : methodName(source) })}
      discard={common('action.cancel')}
      act={t('edit.act')}
      busyAct={t('edit.busy')}
      disabled={Object.keys(problems).length > 0}
      onSubmit={save}
      onClose={onClose}
    >
      <Two>{[input('expMonth'), input('expYear')]}</Two>
      {input('name')}
      {input('email')}
      {input('phone')}
      {input('line1')}
      {input('line2')}
      <Two>{[input('city'), input('state')]}</Two>
      <Two>
        {[
          input('postalCode'),
          names.includes('country') && (
            <CountryField
              key="country"
              id="edit-country"
              optional={!needs.includes('country')}
              value={draft.country}
              error={problems.country}
              onChange={(country) => change('country', country)}
            />
          ),
        ]}
      </Two>
    </FormDialog>
  );
}

/** Two fields abreast; nothing where there are none. */
const Two = ({ children }: { readonly children: readonly React.ReactNode[] }) =>
  children.some(Boolean) ? <div className={styles.two}>{children}</div> : null;
