import type { AdminPayment } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { t } from './messages.ts';

type State = AdminPayment['state'];
type Tone = 'success' | 'danger' | 'info' | 'warning' | 'neutral';

/** Nothing is called failed while its end is not known. */
const looks: Readonly<Record<State, readonly [Tone, IconName]>> = {
  sending: ['info', 'clock'],
  requiresAction: ['info', 'clock'],
  pending: ['info', 'clock'],
  unknown: ['warning', 'clock'],
  needsReview: ['warning', 'alert'],
  succeeded: ['success', 'check'],
  declined: ['danger', 'close'],
  notAttempted: ['neutral', 'close'],
  absent: ['neutral', 'close'],
  closed: ['neutral', 'close'],
};

/** Where a payment stands, in an icon and words. */
export const PaymentState = ({ state }: { readonly state: State }) => {
  const [tone, icon] = looks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </StatusPill>
  );
};
