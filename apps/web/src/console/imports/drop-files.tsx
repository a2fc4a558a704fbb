import type { AdminImport } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { KeyOf } from '../parts/key.tsx';
import { useKeys } from '../shell/use-keys.ts';
import styles from './imports.module.css';
import { t } from './messages.ts';
import { importQueries, lookAt } from './queries.ts';
import { Templates } from './templates.tsx';

interface Refused {
  readonly name: string;
  readonly why: string;
}

/** Where files are dropped or chosen. Each is sent, one after the other, and looked at only. */
export function DropFiles({
  onSent,
}: {
  readonly onSent: (sent: readonly AdminImport[], areAllTaken: boolean) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [sending, setSending] = useState<string>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [mapping, setMapping] = useState('');
  const [customer, setCustomer] = useState('');
  const [kind, setKind] = useState('');
  const [isSaying, setSaying] = useState(false);
  const [isFilling, setFilling] = useState(false);
  // Nothing of the page needs them before.
  const kinds = useQuery({ ...importQueries.kinds(), enabled: isSaying });
  const choose = () => input.current?.click();
  useKeys({ u: sending === undefined ? choose : undefined });

  const send = async (files: readonly File[]) => {
    if (files.length === 0 || sending !== undefined) return;
    const said = {
      ...(mapping.trim() !== '' && { mapping: mapping.trim() }),
      ...(customer.trim() !== '' && { customer: customer.trim() }),
      ...(kind !== '' && { kind }),
    };
    const sent: AdminImport[] = [];
    const not: Refused[] = [];
    for (const [at, file] of files.entries()) {
      setSending(t('drop.sending', { name: file.name, at: at + 1, of: files.length }));
      try {
        sent.push(await lookAt(file, said));
      } catch (error) {
        not.push({ name: file.name, why: error instanceof Error ? error.message : '' });
      }
    }
    setSending(undefined);
    setRefused(not);
    if (input.current) input.current.value = '';
    if (sent.length > 0) onSent(sent, not.length === 0);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void send([...event.dataTransfer.files]);
  };
  return (
    <section
      className={styles.drop}
      data-over={isOver || undefined}
      aria-label={t('drop.title')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={styles.dropText}>
        <Icon name="file" large />
        <div>
          <p className={styles.dropTitle}>{t('drop.title')}</p>
          <p>{t('drop.hint')}</p>
        </div>
        <Button
          variant="primary"
          aria-keyshortcuts="u"
          busy={sending !== undefined}
          busyLabel={t('drop.busy')}
          onClick={choose}
        >
          {t('drop.choose')} <KeyOf>U</KeyOf>
        </Button>
        <input
          ref={input}
          className={styles.hiddenInput}
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => void send([...(event.currentTarget.files ?? [])])}
        />
      </div>
      <p role="status" className={styles.sending}>
        {sending}
      </p>
      <details className={styles.options} onToggle={(event) => setSaying(event.currentTarget.open)}>
        <summary>{t('drop.options')}</summary>
        <div className={styles.optionFields}>
          <Select
            label={t('drop.kind')}
            hint={t('drop.kindHint')}
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value)}
          >
            <option value="">{t('drop.byContent')}</option>
            {(kinds.data ?? []).map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </Select>
          <TextInput
            label={t('drop.mapping')}
            hint={t('drop.mappingHint')}
            type="text"
            autoComplete="off"
            spellCheck="false"
            maxLength={63}
            value={mapping}
            onChange={(event) => setMapping(event.currentTarget.value)}
          />
          <TextInput
            label={t('drop.customer')}
            hint={t('drop.customerHint')}
            type="text"
            autoComplete="off"
            spellCheck="false"
            maxLength={100}
            value={customer}
            onChange={(event) => setCustomer(event.currentTarget.value)}
          />
        </div>
      </details>
      <details className={styles.options} onToggle={(event) => setFilling(event.currentTarget.open)}>
        <summary>{t('template.title')}</summary>
        {isFilling && <Templates />}
      </details>
      {refused.length > 0 && (
        <Banner tone="danger" onClose={() => setRefused([])}>
          {refused.map(({ name, why }) => (
            <p key={name}>{t('drop.refused', { name, why })}</p>
          ))}
        </Banner>
      )}
    </section>
  );
}
