import type { GatewayAccountDetail } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { beginRun, gatewayQueries } from './queries.ts';
import { changesOf, type Typed } from './typed-settings.ts';

interface RunDialogProps extends Pick<GatewayAccountDetail, 'id' | 'gateway' | 'keyMode'> {
  readonly onBegun: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks once more before a run; an account with live keys is given test keys for this run alone. */
export function RunDialog({ id, gateway, keyMode, onBegun, onClose }: RunDialogProps) {
  const kinds = useQuery(gatewayQueries.kinds());
  const [typed, setTyped] = useState<Typed>({});
  const [areTestKeys, setTestKeys] = useState(false);
  const all = kinds.data?.find((one) => one.gateway === gateway)?.settings ?? [];
  const fields = keyMode === 'live' ? all.filter(({ required, kind }) => required || kind === 'choice') : [];
  const settings = changesOf(
    fields.map((field) => ({ ...field, default: null })),
    undefined,
    { ...Object.fromEntries(fields.map(({ name }) => [name, ''])), ...typed },
    [],
  );
  const isReady =
    (keyMode !== 'unknown' || areTestKeys) && (keyMode !== 'live' || Object.keys(settings).length > 0);
  return (
    <FormDialog
      title={t('run.begin')}
      discard={common('action.cancel')}
      act={t('run.begin')}
      busyAct={t('run.busy')}
      disabled={!isReady}
      onClose={onClose}
      onSubmit={async () => {
        if (!isReady) return;
        await beginRun(id, { areTestKeys, ...(keyMode === 'live' ? { settings } : {}) });
        await onBegun();
      }}
    >
      <p>{t('run.about')}</p>
      {keyMode === 'live' && <p>{t('run.live')}</p>}
      {fields.map(({ name, label, help, secret, values }) => (
        <TextInput
          key={name}
          label={label}
          hint={values.length === 0 ? help : values.join(', ')}
          type={secret ? 'password' : 'text'}
          name={`run-${name}`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck="false"
          maxLength={4_000}
          value={String(typed[name] ?? '')}
          onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
        />
      ))}
      {keyMode === 'unknown' && (
        <>
          <p className={parts.muted}>{t('run.wordWhy')}</p>
          <Checkbox labelShown label={t('run.word')} checked={areTestKeys} onChange={setTestKeys} />
        </>
      )}
    </FormDialog>
  );
}
