import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useOperator } from '../operator.ts';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import styles from './people.module.css';

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

interface OnceDialogProps {
  readonly title: string;
  readonly text: string;
  /** What is shown this once. */
  readonly secret: string;
  readonly onClose: () => void;
}

/** Something that is told once: it stays until it is put away. */
export function OnceDialog({ title, text, secret, onClose }: OnceDialogProps) {
  return (
    <Dialog
      title={title}
      open
      locked
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('done')}</Button>}
    >
      <div className={parts.secret}>
        <p>{text}</p>
        <code>{secret}</code>
        <CopyButton text={secret} label={t('copy')} copied={t('copied')} />
        <p className={styles.muted}>{t('link.once')}</p>
      </div>
    </Dialog>
  );
}

/** A form that is asked for a code alone, beside what it says. */
export function useCode(): { readonly code: string; readonly field: ReactNode; readonly isWhole: boolean } {
  const [code, setCode] = useState('');
  return { code, isWhole: isCode(code), field: <CodeField value={code} onChange={setCode} /> };
}
