import type { FailingJob } from '@counterfoil/contract/operator/running/installation.ts';
import { useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { useMay } from '../operator.ts';
import { Box, Nothing } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { NoteDialog } from '../parts/note-dialog.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { dropJob, retryJob } from './queries.ts';

/** Does something and says so in words. */
export type Act = (work: () => Promise<void>, words: string) => Promise<void>;

interface FailingJobsProps {
  readonly jobs: readonly FailingJob[];
  readonly onAct: Act;
}

function nextOf({ state, nextAt }: FailingJob): string {
  if (state === 'running') return t('job.running');
  if (nextAt === null) return t('job.givenUp');
  return dayAndTimeOnly(nextAt);
}

const facts: readonly LedgerColumn<FailingJob>[] = [
  {
    id: 'task',
    label: t('column.task'),
    kind: 'strong',
    cell: ({ task, problem }) => (
      <>
        {task}
        <span className={parts.more}>{problem}</span>
      </>
    ),
  },
  {
    id: 'tries',
    label: t('column.tries'),
    kind: 'whole',
    cell: ({ tries, mostTries }) => t('job.tries', { n: tries, most: mostTries }),
  },
  { id: 'next', label: t('column.next'), kind: 'whole', cell: nextOf },
];

/** Jobs of the queue that have failed, with why, and what can be done about each. */
export function FailingJobs({ jobs, onAct }: FailingJobsProps) {
  const mayChange = useMay('jobs:write');
  const [dropped, setDropped] = useState<FailingJob>();
  const acts: LedgerColumn<FailingJob> = {
    id: 'acts',
    label: t('column.acts'),
    kind: 'whole',
    cell: (job) =>
      job.state !== 'running' && (
        <span className={parts.acts}>
          <Button
            size="small"
            aria-label={t('job.retry.named', { task: job.task })}
            onClick={() => void onAct(() => retryJob(job.id), t('job.retried', { task: job.task }))}
          >
            {t('job.retry')}
          </Button>
          <Button
            size="small"
            variant="quiet"
            aria-label={t('job.drop.named', { task: job.task })}
            onClick={() => setDropped(job)}
          >
            {t('job.drop')}
          </Button>
        </span>
      ),
  };
  return (
    <Box title={t('failing.title')} flush>
      {jobs.length === 0 ? (
        <Nothing>{t('failing.none')}</Nothing>
      ) : (
        <Ledger
          label={t('failing.title')}
          columns={mayChange ? [...facts, acts] : facts}
          rows={jobs}
          rowId={({ id }) => id}
        />
      )}
      {dropped !== undefined && (
        <NoteDialog
          title={t('drop.title', { task: dropped.task })}
          text={t('drop.text')}
          label={t('drop.note')}
          act={t('drop.act')}
          busyAct={t('drop.busy')}
          onClose={() => setDropped(undefined)}
          onSubmit={async (note) => {
            await dropJob(dropped.id, note);
            setDropped(undefined);
            await onAct(() => Promise.resolve(), t('job.dropped', { task: dropped.task }));
          }}
        />
      )}
    </Box>
  );
}
