import type { SentMail } from '@counterfoil/contract/operator/running/mails.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { t } from './messages.ts';

type State = SentMail['state'];
type Tone = 'success' | 'danger' | 'info' | 'warning' | 'neutral';

const looks: Readonly<Record<State, readonly [Tone, IconName]>> = {
  waiting: ['info', 'clock'],
  sent: ['success', 'check'],
  failing: ['warning', 'clock'],
  refused: ['danger', 'close'],
  givenUp: ['danger', 'close'],
  closed: ['neutral', 'check'],
};

/** Where a mail stands, in an icon and words. */
export const MailState = ({ state }: { readonly state: State }) => {
  const [tone, icon] = looks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </StatusPill>
  );
};
