import { SERVICE_ITEM_TEXT_MAX } from '@counterfoil/contract/service-items.ts';
import { useId } from 'react';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';

interface CostCentreInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Offered while typing; any other text may be entered. */
  readonly known: readonly string[];
  readonly hint?: string;
}

/** A cost centre, typed or taken from those in use. */
export function CostCentreInput({ value, onChange, known, hint }: CostCentreInputProps) {
  const list = useId();
  return (
    <>
      <TextInput
        label={t('costCentre')}
        hint={hint}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={SERVICE_ITEM_TEXT_MAX}
        list={list}
        autoComplete="off"
      />
      <datalist id={list}>
        {known.map((costCentre) => (
          <option key={costCentre} value={costCentre} />
        ))}
      </datalist>
    </>
  );
}
