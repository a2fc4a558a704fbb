import { useState } from 'react';
import { formatMoney } from '../../text/format.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Box } from '../parts/box.tsx';
import styles from './brands.module.css';
import { useBrandField } from './editor.ts';
import { type FeeDraft, type FeePart, feeOf, feeText, readFee } from './fee-fields.ts';
import { t } from './messages.ts';

const parts = ['basisPoints', 'fixedMinor', 'capMinor'] as const;
const EXAMPLE = '100';

/** What is added to a payment by card, and to one by bank account. */
export const FeesBoxes = () => (
  <>
    <FeeBox name="cardFee" />
    <FeeBox name="bankFee" />
  </>
);

function FeeBox({ name }: { readonly name: 'cardFee' | 'bankFee' }) {
  const { value, isChanged, set } = useBrandField(`settings.${name}`);
  const currency = String(useBrandField('currency').value);
  const fee = value as FeeDraft;
  const example = feeOf(EXAMPLE, fee, currency);
  return (
    <Box title={t(`fee.${name}`)} aside={isChanged ? t('changed') : t('fee.hint')}>
      <div className={styles.fields}>
        {parts.map((part) => (
          <PartField
            key={part}
            part={part}
            value={fee[part]}
            currency={currency}
            onChange={(changed) => set(Object.assign({}, fee, { [part]: changed }))}
          />
        ))}
        <p className={styles.muted} role="status">
          {example !== null &&
            t('fee.example', {
              amount: formatMoney(EXAMPLE, { currency }),
              fee: formatMoney(example, { currency }),
            })}
        </p>
      </div>
    </Box>
  );
}

interface PartFieldProps {
  readonly part: FeePart;
  readonly value: number | string | null;
  readonly currency: string;
  readonly onChange: (value: number | string | null) => void;
}

function PartField({ part, value, currency, onChange }: PartFieldProps) {
  const [typed, setTyped] = useState('');
  // While it means the same, what was typed stays as it was typed: '1.' on its way to '1.5'.
  const shown =
    readFee(part, typed, currency) === value && typed !== '' ? typed : feeText(part, value, currency);
  return (
    <TextInput
      label={t(`fee.${part}`, { currency })}
      hint={part === 'capMinor' ? t('fee.capMinor.hint') : undefined}
      error={typeof value === 'string' ? t(`fee.${part}.wrong`) : undefined}
      type="text"
      inputMode="decimal"
      filter
      autoComplete="off"
      maxLength={14}
      value={shown}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(readFee(part, currentTarget.value, currency));
      }}
    />
  );
}
