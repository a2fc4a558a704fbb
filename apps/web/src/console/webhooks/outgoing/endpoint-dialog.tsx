import type {
  EndpointMade,
  WebhookEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import { type MessageType, messageTypes } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import { useState } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { isPreconditionFailed, type WithState } from '../../../lib/api/console-api.ts';
import { FormDialog } from '../../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../../text/common.ts';
import { Select } from '../../../ui/fields/select.tsx';
import { TextInput } from '../../../ui/fields/text-input.tsx';
import { Choices } from '../../parts/choices.tsx';
import { t } from './messages.ts';
import { addEndpoint, changeEndpoint, rotateSecret } from './queries.ts';

const types = (Object.keys(messageTypes) as MessageType[]).filter((type) => type !== 'webhook.test');
const DAY_HOURS = 24;
const overlaps = [0, 1, DAY_HOURS, 7 * DAY_HOURS] as const;

interface EndpointDialogProps {
  /** The one that is changed; absent: a new one is made. */
  readonly endpoint?: WithState<WebhookEndpoint>;
  readonly onMade?: (made: EndpointMade) => Promise<void>;
  readonly onSaved?: () => Promise<void>;
  readonly onClose: () => void;
}

/** Address, purpose and types of an endpoint. */
export function EndpointDialog({ endpoint, onMade, onSaved, onClose }: EndpointDialogProps) {
  const [url, setUrl] = useState(endpoint?.data.url ?? '');
  const [description, setDescription] = useState(endpoint?.data.description ?? '');
  const [chosen, setChosen] = useState<readonly string[]>(endpoint?.data.types ?? []);
  const isNew = endpoint === undefined;
  const isWhole = url.trim() !== '';
  const save = async () => {
    const values = { url: url.trim(), description: description.trim(), types: [...chosen] };
    if (isNew) return onMade?.(await addEndpoint(values));
    try {
      await changeEndpoint(endpoint.data.id, values, endpoint.state);
    } catch (error) {
      if (!isPreconditionFailed(error)) throw error;
      throw new ApiError(error.status, error.code, t('edit.stale'), {}, error);
    }
    return onSaved?.();
  };
  return (
    <FormDialog
      title={t(isNew ? 'add' : 'edit.title')}
      discard={common('action.cancel')}
      act={t(isNew ? 'add.act' : 'edit.act')}
      busyAct={t(isNew ? 'add.busy' : 'edit.busy')}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (isWhole) await save();
      }}
    >
      <TextInput
        label={t('field.url')}
        hint={t('field.urlHint')}
        type="url"
        name="url"
        autoComplete="off"
        maxLength={2_000}
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextInput
        label={t('field.description')}
        type="text"
        name="description"
        autoComplete="off"
        maxLength={200}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Choices legend={t('field.types')} all={types} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  );
}

interface RotateDialogProps {
  readonly id: string;
  readonly onMade: (made: EndpointMade) => Promise<void>;
  readonly onClose: () => void;
}

/** Gives an endpoint another secret; the one before signs on for a while. */
export function RotateSecretDialog({ id, onMade, onClose }: RotateDialogProps) {
  const [hours, setHours] = useState<number>(DAY_HOURS);
  return (
    <FormDialog
      title={t('rotate.title')}
      discard={common('action.cancel')}
      act={t('rotate')}
      busyAct={t('rotate.busy')}
      onClose={onClose}
      onSubmit={async () => onMade(await rotateSecret(id, hours))}
    >
      <p>{t('rotate.text')}</p>
      <Select
        label={t('rotate.label')}
        value={hours}
        onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}
      >
        {overlaps.map((one) => (
          <option key={one} value={one}>
            {overlapWords(one)}
          </option>
        ))}
      </Select>
    </FormDialog>
  );
}

function overlapWords(hours: number): string {
  if (hours === 0) return t('rotate.none');
  return hours > DAY_HOURS
    ? t('rotate.days', { n: String(hours / DAY_HOURS) })
    : t('rotate.hours', { n: String(hours) });
}
