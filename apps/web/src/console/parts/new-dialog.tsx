import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { isPreconditionFailed } from '../../lib/api/console-api.ts';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import styles from './parts.module.css';

/** A value that something new is given. */
export interface NewField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'text' | 'email';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly initial?: string;
  /** Chosen from these instead of typed. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/** What was typed and chosen, by the names of the fields, without blanks around it. */
export type NewValues = Readonly<Record<string, string>>;

interface NewDialogProps {
  readonly title: string;
  readonly act: string;
  readonly fields: readonly NewField[];
  /** Said where there is one of this number already, where that is refused. */
  readonly taken?: string;
  /** Makes it, and closes the dialog. */
  readonly onMake: (values: NewValues) => Promise<void>;
  readonly onClose: () => void;
}

const isFine = ({ type, required = false }: NewField, value: string): boolean =>
  value === '' ? !required : type !== 'email' || isMailAddress(value);

/** Asks for what something new needs, and makes it unless it is there already. */
export function NewDialog({ title, act, fields, taken, onMake, onClose }: NewDialogProps) {
  const [typed, setTyped] = useState<NewValues>(() =>
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  );
  const values = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value.trim()]));
  const isWhole = fields.every((field) => isFine(field, values[field.name] ?? ''));
  const change = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = event.currentTarget;
    setTyped((before) => Object.assign({}, before, { [name]: value }));
  };
  return (
    <FormDialog
      title={title}
      discard={common('action.cancel')}
      act={act}
      busyAct={t('new.busy')}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (!isWhole) return;
        try {
          await onMake(values);
        } catch (error) {
          if (taken === undefined || !isPreconditionFailed(error)) throw error;
          throw new ApiError(error.status, error.code, taken, {}, error);
        }
      }}
    >
      <div className={styles.newFields}>
        {fields.map(({ name, label, hint, type = 'text', required = false, maxLength = 200, options }) =>
          options === undefined ? (
            <TextInput
              key={name}
              label={label}
              hint={hint}
              type={type}
              name={name}
              autoComplete="off"
              maxLength={type === 'email' ? 254 : maxLength}
              required={required}
              value={typed[name] ?? ''}
              onChange={change(name)}
            />
          ) : (
            <Select key={name} label={label} hint={hint} value={typed[name] ?? ''} onChange={change(name)}>
              {options.map(({ value, label: word }) => (
                <option key={value} value={value}>
                  {word}
                </option>
              ))}
            </Select>
          ),
        )}
      </div>
    </FormDialog>
  );
}
