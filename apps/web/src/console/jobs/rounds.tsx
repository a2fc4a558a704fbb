import type { BackgroundRound } from '@counterfoil/contract/operator/running/installation.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { useMay } from '../operator.ts';
import { Box, Nothing } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import parts from '../parts/parts.module.css';
import type { Act } from './failing-jobs.tsx';
import { t } from './messages.ts';
import { runRound } from './queries.ts';

const looks = {
  ok: ['success', 'check'],
  failing: ['danger', 'close'],
  overdue: ['warning', 'clock'],
  never: ['neutral', 'clock'],
} as const satisfies Record<BackgroundRound['state'], readonly [string, string]>;

/** What runs oftener begins by itself before anybody could press. */
const WORTH_SECONDS = 60;

function pauseOf({ everySeconds: n }: BackgroundRound): string {
  if (n < 60) return t('every.seconds', { n });
  return n < 3_600 ? t('every.minutes', { n: n / 60 }) : t('every.hours', { n: n / 3_600 });
}

function RoundState({ round }: { readonly round: BackgroundRound }) {
  const [tone, icon] = looks[round.state];
  return round.isWanted ? (
    <StatusPill tone="info" icon="clock">
      {t('state.wanted')}
    </StatusPill>
  ) : (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${round.state}`)}
    </StatusPill>
  );
}

const facts: readonly LedgerColumn<BackgroundRound>[] = [
  {
    id: 'name',
    label: t('column.round'),
    kind: 'strong',
    cell: ({ name, problem }) => (
      <>
        {name}
        <span className={parts.more}>{problem}</span>
      </>
    ),
  },
  { id: 'every', label: t('column.every'), kind: 'whole', cell: pauseOf },
  {
    id: 'last',
    label: t('column.last'),
    kind: 'whole',
    cell: ({ lastOkAt }) => (lastOkAt === null ? '–' : dayAndTimeOnly(lastOkAt)),
  },
  { id: 'state', label: t('column.state'), kind: 'whole', cell: (round) => <RoundState round={round} /> },
];

interface RoundsProps {
  readonly rounds: readonly BackgroundRound[];
  readonly onAct: Act;
}

/** What is done again and again, when it last went well, and beginning one now. */
export function Rounds({ rounds, onAct }: RoundsProps) {
  const mayChange = useMay('jobs:write');
  const acts: LedgerColumn<BackgroundRound> = {
    id: 'acts',
    label: t('column.acts'),
    kind: 'whole',
    cell: ({ name, isWanted, everySeconds }) =>
      !isWanted &&
      everySeconds >= WORTH_SECONDS && (
        <Button
          size="small"
          aria-label={t('round.run.named', { round: name })}
          onClick={() => void onAct(() => runRound(name), t('round.wanted', { round: name }))}
        >
          {t('round.run')}
        </Button>
      ),
  };
  return (
    <Box title={t('rounds.title')} flush>
      {rounds.length === 0 ? (
        <Nothing>{t('rounds.none')}</Nothing>
      ) : (
        <Ledger
          label={t('rounds.title')}
          columns={mayChange ? [...facts, acts] : facts}
          rows={rounds}
          rowId={({ name }) => name}
        />
      )}
    </Box>
  );
}
