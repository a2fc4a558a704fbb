import { type ReactNode, useState } from 'react';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { useOperator } from '../operator.ts';
import { t } from './messages.ts';

interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The newest code of the owner's app: what lets somebody in asks for it. */
export const CodeField = ({ value, onChange }: CodeFieldProps) => (
  <TextInput
    label={t('code')}
    hint={t('code.hint')}
    type="text"
    inputMode="numeric"
    name="code"
    autoComplete="one-time-code"
    maxLength={20}
    required
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** Six digits, spaces as typed. */
export const isCode = (text: string): boolean => /^\d{6}$/.test(text.replaceAll(/\s/g, ''));

interface WhoseFieldProps {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** For which reseller; of an owner of one there is nothing to choose. */
export function WhoseField({ value, onChange }: WhoseFieldProps) {
  const { resellerId, resellers } = useOperator();
  if (resellerId !== null) return null;
  return (
    <Select
      label={t('whose')}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? null : Number(currentTarget.value))
      }
    >
      {resellers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value="">{t('whose.all')}</option>
    </Select>
  );
}

/** The name of a reseller, or that it is of the installation. */
export function useWhose(): (resellerId: number | null) => string {
  const { resellers } = useOperator();
  return (resellerId) =>
    resellerId === null
      ? t('whose.all')
      : (resellers.find(({ id }) => id === resellerId)?.name ?? String(resellerId));
}

/** A form that is asked for a code alone, beside what it says. */
export function useCode(): { readonly code: string; readonly field: ReactNode; readonly isWhole: boolean } {
  const [code, setCode] = useState('');
  return { code, isWhole: isCode(code), field: <CodeField value={code} onChange={setCode} /> };
}
