import { exportExtension, type Report } from '@counterfoil/contract/reports.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { Entry, EntryList, EntryListWaiting } from '../../ui/data/entry-list.tsx';
import { Pagination } from '../../ui/data/grid/pagination.tsx';
import { clampPage, pageCount } from '../../ui/data/grid/pagination-model.ts';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote } from '../../ui/layout/skeleton.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { GenerateDialog } from './generate-dialog.tsx';
import { JobList } from './job-list.tsx';
import { t } from './messages.ts';
import { fetchReportFile, fetchReportStatus, reportQueries, startReport } from './queries.ts';
import { createReportRun, type ReportRun, type RunEnd } from './report-run.ts';
import styles from './reports.module.css';

/** Given by the specification (portal §9). */
const REPORTS_A_PAGE = 25;
/** Of a provider without reports of their own: the place that is held until they are there. */
const LIKELY_REPORTS = 6;

interface Selected {
  readonly report: Report;
  readonly run: ReportRun;
}

/** The reports one can generate, and those that were. */
export default function ReportsPage() {
  const { brand } = usePortal();
  const client = useQueryClient();
  const { data, isError, error, isFetching, refetch } = useQuery(reportQueries.list());
  const [selected, setSelected] = useState<Selected>();
  const [saved, setSaved] = useState<string>();
  const [left, setLeft] = useState('');
  useTitle(t('title'), brand.name);

  const lookAtJobs = () => void client.invalidateQueries({ queryKey: reportQueries.jobs().queryKey });
  const select = (report: Report) => {
    setSaved(undefined);
    setLeft('');
    const run = createReportRun({
      start: async (request) => {
        const started = await startReport(request);
        lookAtJobs();
        return started;
      },
      status: fetchReportStatus,
      file: fetchReportFile,
      save: saveFile,
      fail: reportFailure,
      now: () => Date.now(),
    });
    setSelected({ report, run });
  };
  const end = (report: Report, how: RunEnd) => {
    setSelected(undefined);
    lookAtJobs();
    if (how.kind === 'saved') setSaved(how.fileName);
    if (how.kind === 'left') setLeft(t('left.status', { name: report.name }));
  };
  return (
    <>
      {saved !== undefined && (
        <Outcome key={saved} tone="success" onClose={() => setSaved(undefined)}>
          {t('saved.outcome', { file: saved })}
        </Outcome>
      )}
      <PageHead title={t('title')} />
      <VisuallyHidden role="status">{left}</VisuallyHidden>
      {data ? (
        <ReportList reports={data} onSelect={select} />
      ) : isError ? (
        <SectionError
          level={2}
          requestId={requestIdOf(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <>
          <LoadingNote />
          <EntryListWaiting entries={LIKELY_REPORTS} />
        </>
      )}
      <JobList />
      {selected && (
        <GenerateDialog
          {...selected}
          onClose={() => setSelected(undefined)}
          onEnd={(how) => end(selected.report, how)}
        />
      )}
    </>
  );
}

interface ReportListProps {
  readonly reports: readonly Report[];
  readonly onSelect: (report: Report) => void;
}

/** In the server's order: 'Invoice Details', the standard report, stands first. */
export function ReportList({ reports, onSelect }: ReportListProps) {
  const [state, setState] = useGridUrlState({ prefix: 'reports' });
  if (reports.length === 0)
    return (
      <EmptyState level={2} title={t('empty.reports')}>
        {t('empty.reportsWhy')}
      </EmptyState>
    );
  const page = clampPage(state.page, pageCount(reports.length, REPORTS_A_PAGE));
  const shown = reports.slice((page - 1) * REPORTS_A_PAGE, page * REPORTS_A_PAGE);
  return (
    <div className={styles.section}>
      <EntryList label={t('title')}>
        {shown.map((report) => (
          <Entry
            key={report.id}
            icon={<Icon name="file" large />}
            title={report.name}
            mark={
              <StatusPill tone="neutral">{exportExtension[report.exportTypeId].toUpperCase()}</StatusPill>
            }
            facts={[<LookupCounts key="asks" report={report} />]}
            actions={
              <Button aria-label={t('generateName', { name: report.name })} onClick={() => onSelect(report)}>
                {t('generate')}
              </Button>
            }
          />
        ))}
      </EntryList>
      {reports.length > REPORTS_A_PAGE && (
        <Pagination
          page={page}
          size={REPORTS_A_PAGE}
          total={reports.length}
          onPage={(next) => setState({ ...state, page: next })}
        />
      )}
    </div>
  );
}

/** 'By dates and service': what the report will ask for. */
function LookupCounts({ report }: { readonly report: Report }) {
  const { settings } = usePortal();
  if (report.parameters.length === 0) return t('asks.none');
  const words = report.parameters.map(({ name }) =>
    t(`asks.${name}`, { invoice: settings.invoiceLabelSingular.toLocaleLowerCase(readerLocale()) }),
  );
  return t('asks.list', { list: new Intl.ListFormat(readerLocale(), { type: 'conjunction' }).format(words) });
}
