import type { AutoPayRow, ForeseenCharge } from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { t } from './messages.ts';

type Look = readonly [tone: 'success' | 'danger' | 'info' | 'warning' | 'neutral', icon: IconName];

const outcomes: Readonly<Record<AutoPayRow['outcome'], Look>> = {
  charged: ['success', 'check'],
  declined: ['danger', 'close'],
  failed: ['danger', 'alert'],
  underWay: ['info', 'clock'],
  skipped: ['neutral', 'minus'],
};

/** What became of an invoice, in an icon and words. */
export function OutcomePill({ outcome }: Pick<AutoPayRow, 'outcome'>) {
  const [tone, icon] = outcomes[outcome];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`outcome.${outcome}`)}
    </StatusPill>
  );
}

const intents: Readonly<Record<ForeseenCharge['would'], Look>> = {
  charge: ['success', 'card'],
  announce: ['info', 'file'],
  tellNoMethod: ['warning', 'alert'],
  skip: ['neutral', 'minus'],
  nothing: ['neutral', 'minus'],
};

/** What the next run would do about an invoice, in an icon and words. */
export function WouldPill({ would }: Pick<ForeseenCharge, 'would'>) {
  const [tone, icon] = intents[would];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`would.${would}`)}
    </StatusPill>
  );
}
