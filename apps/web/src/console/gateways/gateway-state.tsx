import type { GatewayAccountShown } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { t } from './messages.ts';

const looks = {
  working: ['success', 'check'],
  paused: ['warning', 'clock'],
  misconfigured: ['danger', 'alert'],
  outOfUse: ['neutral', 'minus'],
} as const;

/** Whether payments go through an account now. */
export const GatewayState = ({ state }: Pick<GatewayAccountShown, 'state'>) => {
  const [tone, icon] = looks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </StatusPill>
  );
};
