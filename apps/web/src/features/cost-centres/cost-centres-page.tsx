import { useState } from 'react';
import { CsvButton } from '../../lib/csv/csv-button.tsx';
import { saveCsv } from '../../lib/files/save-csv.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useUrlChoice } from '../../ui/layout/use-url-choice.ts';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { AllocationTab } from './allocation.tsx';
import { allocationCsv, allocationFileName, summaryCsv, summaryFileName } from './allocation-csv.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import styles from './cost-centres.module.css';
import { t } from './messages.ts';
import { SummaryTab } from './summary.tsx';
import { useAllocation } from './use-allocation.ts';
import { useCostSummary } from './use-cost-summary.ts';
import { type Notice, useUndo } from './use-undo.ts';

const tabs = ['allocation', 'summary'] as const;

/** Which service item belongs to which cost centre, and what each of those costs. */
export default function CostCentresPage() {
  const { brand } = usePortal();
  const [tab, setTab] = useUrlChoice('tab', tabs);
  const summary = useCostSummary(tab === 'summary');
  const [state, setState] = useGridUrlState();
  const allocation = useAllocation(state);
  const [isDownloading, setDownloading] = useState(false);
  const [notice, setNotice] = useState<Notice>();
  const [showsChanges, setShowsChanges] = useState(false);
  const { undoing, undo } = useUndo(setNotice);
  useTitle(t('title'), brand.name);

  const { list, serviceName, mixed } = allocation;
  const { data, days } = summary;
  const canDownload = tab === 'allocation' ? !!list.total : !!data?.currencies.length;
  const download = async (byteOrderMark: boolean) => {
    if (tab === 'summary') {
      if (!data || !days) return;
      return saveCsv(summaryFileName(days), summaryCsv(data), byteOrderMark);
    }
    setDownloading(true);
    try {
      saveCsv(allocationFileName(serviceName), allocationCsv(await allocation.every(), mixed), byteOrderMark);
    } catch {
      // The query has told it.
    } finally {
      setDownloading(false);
    }
  };
  return (
    <>
      {notice && (
        <Outcome key={notice.text} tone={notice.tone} onClose={() => setNotice(undefined)}>
          <NoticeText notice={notice} undoing={undoing !== undefined} onUndo={undo} />
        </Outcome>
      )}
      <PageHead
        title={t('title')}
        tools={
          <>
            <Button aria-haspopup="dialog" onClick={() => setShowsChanges(true)}>
              <Icon name="undo" />
              {t('changes')}
            </Button>
            <CsvButton
              onDownload={(mark) => void download(mark)}
              disabled={!canDownload}
              busy={isDownloading}
              busyLabel={t('downloading')}
            >
              {t('download')}
            </CsvButton>
          </>
        }
      />
      <Tabs
        label={t('sections')}
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'allocation',
            label: t('tab.allocation'),
            content: (
              <AllocationTab allocation={allocation} state={state} onState={setState} onNotice={setNotice} />
            ),
          },
          { id: 'summary', label: t('tab.summary'), content: <SummaryTab summary={summary} /> },
        ]}
      />
      {showsChanges && <ChangesDialog onClose={() => setShowsChanges(false)} />}
    </>
  );
}

interface NoticeTextProps {
  readonly notice: Notice;
  readonly undoing: boolean;
  readonly onUndo: (change: string) => void;
}

/** What happened, and Undo while it can be taken back. */
function NoticeText({ notice, undoing, onUndo }: NoticeTextProps) {
  const change = notice.undo;
  return (
    <span className={styles.notice}>
      {notice.text}
      {change !== undefined && (
        <Button size="small" busy={undoing} busyLabel={t('undoing')} onClick={() => onUndo(change)}>
          {t('undo')}
        </Button>
      )}
    </span>
  );
}
