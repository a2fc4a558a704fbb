import type { WebhookEvent } from '@counterfoil/contract/operator/running/webhook-events.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { t } from './messages.ts';

type State = WebhookEvent['state'];
type Tone = 'success' | 'info' | 'warning' | 'danger';

const looks: Readonly<Record<State, readonly [Tone, IconName]>> = {
  waiting: ['info', 'clock'],
  failing: ['warning', 'clock'],
  needsReview: ['danger', 'alert'],
  done: ['success', 'check'],
};

/** Where an event stands, in an icon and words. */
export const EventState = ({ state }: { readonly state: State }) => {
  const [tone, icon] = looks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </StatusPill>
  );
};

const known = ['charge', 'refund', 'method', 'mandate', 'payer'] as const;

/** What an event is about, in words. */
export const aboutWords = ({ about }: Pick<WebhookEvent, 'about'>): string =>
  t(`about.${known.find((one) => one === about) ?? 'unknown'}`);
