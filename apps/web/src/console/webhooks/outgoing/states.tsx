import type {
  WebhookDelivery,
  WebhookEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import { StatusPill } from '../../../ui/data/status-pill.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { t } from './messages.ts';

type Tone = 'success' | 'info' | 'warning' | 'danger';
type Look = readonly [Tone, IconName];

const endpointLooks: Readonly<Record<WebhookEndpoint['state'] | 'failing', Look>> = {
  enabled: ['success', 'check'],
  failing: ['warning', 'clock'],
  paused: ['warning', 'alert'],
  disabled: ['info', 'lock'],
};

/** Whether an endpoint works, in an icon and words. */
export const EndpointStatePill = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const { state, failures } = endpoint;
  const shown = state === 'enabled' && failures > 0 ? 'failing' : state;
  const [tone, icon] = endpointLooks[shown];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${shown}`)}
    </StatusPill>
  );
};

const deliveryLooks: Readonly<Record<WebhookDelivery['state'], Look>> = {
  waiting: ['info', 'clock'],
  delivered: ['success', 'check'],
  givenUp: ['danger', 'alert'],
};

/** Where a message stands on its way, in an icon and words. */
export const DeliveryStatePill = ({ state }: { readonly state: WebhookDelivery['state'] }) => {
  const [tone, icon] = deliveryLooks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`delivery.${state}`)}
    </StatusPill>
  );
};

/** What an endpoint is sent, in words. */
export const typesWords = ({ types }: Pick<WebhookEndpoint, 'types'>, most = 2): string => {
  if (types.length === 0) return t('types.all');
  return types.length > most ? t('types.many', { n: String(types.length) }) : types.join(', ');
};
