import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { useTitle } from '../../ui/layout/title.ts';
import { Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import { HealthBox } from '../today/health-box.tsx';
import { FailingJobs } from './failing-jobs.tsx';
import { t } from './messages.ts';
import { jobsQuery } from './queries.ts';
import { QueueFigures } from './queue-figures.tsx';
import { Rounds } from './rounds.tsx';

/** How the installation is, what its queue does, and what is done again and again. */
export default function JobsPage() {
  const client = useQueryClient();
  const query = useQuery(jobsQuery);
  const [done, setDone] = useState<string>();
  useTitle(t('title'), consoleName);
  /** Does something and says so; a failure is told above the page. */
  const act = async (work: () => Promise<void>, words: string) => {
    try {
      await work();
      await client.invalidateQueries({ queryKey: ['jobs'] });
      await client.invalidateQueries({ queryKey: ['today'] });
      setDone(words);
    } catch (error) {
      reportFailure(error);
    }
  };
  return (
    <>
      <PageTop title={t('title')} facts={[t('about')]} />
      <Done words={done} onClose={() => setDone(undefined)} />
      <HealthBox />
      <Loaded query={query} height="20rem">
        {(jobs) => (
          <>
            <QueueFigures queue={jobs.queue} />
            <FailingJobs jobs={jobs.failing} onAct={act} />
            <Rounds rounds={jobs.rounds} onAct={act} />
          </>
        )}
      </Loaded>
    </>
  );
}
