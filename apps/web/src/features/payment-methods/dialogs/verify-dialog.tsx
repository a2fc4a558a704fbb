import type { SavedSource, SetupAnswer } from '@counterfoil/contract/paying/payment-methods.ts';
import { useState } from 'react';
import { methodName } from '../../../paying/methods/method-words.ts';
import { FormDialog } from '../../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../../text/common.ts';
import { TextInput } from '../../../ui/fields/text-input.tsx';
import { methodCalls } from '../calls.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { type Proof, proofOf } from '../proof.ts';

interface VerifyDialogProps {
  readonly source: SavedSource;
  readonly verification: NonNullable<SavedSource['verification']>;
  readonly onAnswer: (answer: SetupAnswer) => Promise<void>;
  readonly onClose: () => void;
}

interface TypedField {
  readonly value: string;
  readonly autoComplete: 'off';
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** Proves that an account is the customer's by the small deposit on its statement: a code, or two amounts. */
export function VerifyDialog({ source, verification, onAnswer, onClose }: VerifyDialogProps) {
  const { fields, page, reqUid } = verification;
  const ways = (['descriptorCode', 'amounts'] as const).filter((way) => fields.includes(way));
  const [typed, setTyped] = useState<Proof>({
    way: ways[0] ?? 'descriptorCode',
    code: '',
    first: '',
    second: '',
  });
  const proof = proofOf(typed);
  const type = (name: 'code' | 'first' | 'second'): TypedField => ({
    value: typed[name],
    autoComplete: 'off',
    onChange: (event) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
    },
  });
  const verify = async () => {
    if (proof !== undefined) await onAnswer(await methodCalls.result({ reqUid, ...proof }));
  };
  return (
    <FormDialog
      title={t('verify.title', { method: methodName(source) })}
      discard={common('action.cancel')}
      act={t('verify.act')}
      busyAct={t('verify.busy')}
      disabled={proof === undefined}
      onSubmit={verify}
      onClose={onClose}
    >
      <p>{t('verify.text')}</p>
      {ways.length > 1 && (
        <fieldset className={styles.choices}>
          <legend>{t('verify.how')}</legend>
          {ways.map((way) => (
            <label key={way} className={styles.choice}>
              <input
                type="radio"
                name="way"
                checked={typed.way === way}
                onChange={() => setTyped((before) => ({ ...before, way }))}
              />
              {t(way === 'amounts' ? 'verify.byAmounts' : 'verify.byCode')}
            </label>
          ))}
        </fieldset>
      )}
      {typed.way === 'descriptorCode' ? (
        <TextInput label={t('verify.code')} hint={t('verify.needCode')} {...type('code')} />
      ) : (
        <>
          <div className={styles.two}>
            <DepositField name="first" {...type('first')} />
            <DepositField name="second" {...type('second')} />
          </div>
          <p className={styles.reason}>{t('verify.needAmounts')}</p>
        </>
      )}
      {page && (
        <p>
          <a href={page}>{t('verify.page')}</a>
        </p>
      )}
    </FormDialog>
  );
}

interface DepositFieldProps extends TypedField {
  readonly name: 'first' | 'second';
}

/** The cents of one small deposit: a secret of the account, never kept by the tab. */
function DepositField({ name, ...typed }: DepositFieldProps) {
  return (
    <TextInput label={t(`verify.${name}`)} inputMode="numeric" maxLength={3} data-keep="never" {...typed} />
  );
}
