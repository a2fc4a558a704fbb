import type { ReportJob } from '@counterfoil/contract/reports.ts';
import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import type { GridColumn } from '../../ui/data/grid/grid-types.ts';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { formatOf, jobLooks, jobState, madeSince } from './job-words.ts';
import { t } from './messages.ts';
import { fetchReportFile, reportQueries } from './queries.ts';
import styles from './reports.module.css';

/** Given by the specification (portal §9). */
const paging = { mode: 'client', size: 25 } as const;

const jobColumns = (timeZone: string, onGone: () => void): readonly GridColumn<ReportJob>[] => [
  {
    id: 'name',
    label: t('jobs.report'),
    type: 'text',
    value: (job) => job.name,
    cell: (job) => t('jobs.name', { name: job.name, format: formatOf(job.fileName) }),
    card: 'lead',
  },
  {
    id: 'createdAt',
    label: t('jobs.when'),
    type: 'date',
    value: (job) => job.createdAt,
    cell: (job) => (
      <time dateTime={job.createdAt}>{t('jobs.moment', formatMoment(job.createdAt, timeZone))}</time>
    ),
    width: '12rem',
    card: 'when',
  },
  {
    id: 'rows',
    label: t('jobs.rows'),
    type: 'number',
    value: (job) => job.rows,
    width: '6rem',
    card: (job) => (job.rows === null ? 'none' : 'rest'),
    cardLabel: t('jobs.rows'),
  },
  {
    id: 'sizeBytes',
    label: t('jobs.size'),
    type: 'number',
    value: (job) => job.sizeBytes,
    cell: (job) => (job.sizeBytes === null ? '–' : formatBytes(job.sizeBytes)),
    width: '6.5rem',
    card: 'figure',
  },
  {
    id: 'expiresAt',
    label: t('jobs.kept'),
    type: 'date',
    value: (job) => job.expiresAt,
    cell: (job) => (job.expiresAt === null ? '–' : formatMoment(job.expiresAt, timeZone).day),
    width: '8.5rem',
    gap: true,
    card: 'rest',
    cardLabel: t('jobs.kept'),
  },
  {
    id: 'state',
    label: t('jobs.state'),
    type: 'text',
    value: (job) => t(`state.${jobState(job)}`),
    cell: (job) => (
      <span className={styles.jobState}>
        <StatusPill {...jobLooks[jobState(job)]}>{t(`state.${jobState(job)}`)}</StatusPill>
        {job.path !== null && <DownloadButton job={job} path={job.path} onGone={onGone} />}
      </span>
    ),
    cellState: 'kept',
    width: '16rem',
    card: 'state',
  },
];

interface DownloadButtonProps {
  readonly job: ReportJob;
  readonly path: string;
  /** It could not be had: look whether it is still there. */
  readonly onGone: () => void;
}

function DownloadButton({ job, path, onGone }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(await fetchReportFile(path), job.fileName);
    } catch (error) {
      reportFailure(error);
      onGone();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="small"
      aria-label={t('jobs.downloadName', { file: job.fileName })}
      busy={busy}
      onClick={() => void download()}
    >
      <Icon name="download" />
      {t('jobs.download')}
    </Button>
  );
}

/** What was generated, newest first, also what goes on in the background; it looks again while something does. */
export function JobList() {
  const { brand } = usePortal();
  const title = useId();
  const { data, isError, error, refetch } = useQuery(reportQueries.jobs());
  const [state, setState] = useGridUrlState({ prefix: 'jobs' });
  const columns = useMemo(() => jobColumns(brand.timeZone, () => void refetch()), [brand.timeZone, refetch]);
  const ready = useReadyNews(data);
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('jobs.title')}</h2>
      <VisuallyHidden role="status">{ready}</VisuallyHidden>
      <Grid
        label={t('jobs.title')}
        columns={columns}
        rows={data}
        rowId={(job) => job.id}
        state={state}
        onState={setState}
        paging={paging}
        expected={3}
        error={
          isError && data === undefined
            ? { requestId: requestIdOf(error), retry: () => void refetch() }
            : undefined
        }
        empty={<EmptyState title={t('jobs.empty')}>{t('jobs.emptyWhy')}</EmptyState>}
      />
    </section>
  );
}

/** Says which report has become ready while one looks. */
function useReadyNews(jobs: readonly ReportJob[] | undefined): string {
  const before = useRef(jobs);
  const [news, setNews] = useState('');
  useEffect(() => {
    const made = jobs === undefined ? [] : madeSince(before.current, jobs);
    before.current = jobs;
    if (made.length > 0) setNews(made.map(({ name }) => t('ready.status', { name })).join('. '));
  }, [jobs]);
  return news;
}
