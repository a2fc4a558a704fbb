import { type ApiScope, apiScopes } from '@counterfoil/contract/operator/access/api-keys.ts';
import type { ApiKeyMade, ApiKeyShown } from '@counterfoil/contract/operator/access/operator-people.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { useOperator } from '../operator.ts';
import { Choices } from '../parts/choices.tsx';
import { useCode, WhoseField } from './fields.tsx';
import { t } from './messages.ts';
import { addKey, rotateKey } from './queries.ts';

const DAY_MS = 86_400_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const lives = [90, 365, null] as const;
const graces = [0, HOUR_MINUTES, DAY_MINUTES, 7 * DAY_MINUTES] as const;

interface KeyDialogProps {
  readonly onMade: (key: ApiKeyMade) => Promise<void>;
  readonly onClose: () => void;
}

/** Makes a key: what it is for, what it may do, and until when. */
export function AddKeyDialog({ onMade, onClose }: KeyDialogProps) {
  const { resellerId: own, reseller } = useOperator();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiScope[]>([]);
  const [days, setDays] = useState<number | null>(365);
  const [resellerId, setWhose] = useState(own ?? reseller?.id ?? null);
  const { code, field, isWhole } = useCode();
  const isReady = isWhole && name.trim() !== '' && scopes.length > 0;
  return (
    <FormDialog
      title={t('key.add')}
      discard={common('action.cancel')}
      act={t('key.add.act')}
      busyAct={t('key.add.busy')}
      disabled={!isReady}
      onClose={onClose}
      onSubmit={async () => {
        if (!isReady) return;
        const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
        await onMade(await addKey({ resellerId, name: name.trim(), scopes: [...scopes], expiresAt, code }));
      }}
    >
      <TextInput
        label={t('key.name')}
        type="text"
        name="name"
        autoComplete="off"
        maxLength={100}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Choices
        legend={t('key.scopes')}
        all={Object.keys(apiScopes) as ApiScope[]}
        chosen={scopes}
        onChange={setScopes}
      />
      <Select
        label={t('key.expires')}
        value={days ?? ''}
        onChange={({ currentTarget }) =>
          setDays(currentTarget.value === '' ? null : Number(currentTarget.value))
        }
      >
        {lives.map((life) => (
          <option key={life ?? ''} value={life ?? ''}>
            {life === null ? t('key.expires.none') : t('key.expires.days', { days: String(life) })}
          </option>
        ))}
      </Select>
      <WhoseField value={resellerId} onChange={setWhose} />
      {field}
    </FormDialog>
  );
}

/** Gives a key another secret; the one before works on for a while. */
export function RotateDialog({ row, onMade, onClose }: KeyDialogProps & { readonly row: ApiKeyShown }) {
  const [graceMinutes, setGrace] = useState<number>(DAY_MINUTES);
  const { code, field, isWhole } = useCode();
  return (
    <FormDialog
      title={t('key.rotate.name', { name: row.name })}
      discard={common('action.cancel')}
      act={t('key.rotate')}
      busyAct={t('key.rotate.busy')}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (isWhole) await onMade(await rotateKey(row.id, { graceMinutes, code }));
      }}
    >
      <Select
        label={t('key.grace')}
        value={graceMinutes}
        onChange={({ currentTarget }) => setGrace(Number(currentTarget.value))}
      >
        {graces.map((minutes) => (
          <option key={minutes} value={minutes}>
            {graceWords(minutes)}
          </option>
        ))}
      </Select>
      {field}
    </FormDialog>
  );
}

function graceWords(minutes: number): string {
  if (minutes === 0) return t('key.grace.none');
  return minutes > DAY_MINUTES
    ? t('key.grace.days', { days: String(minutes / DAY_MINUTES) })
    : t('key.grace.hours', { hours: String(minutes / HOUR_MINUTES) });
}
