import type { AdminImportDetail } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type {
  QuarantinedEntry,
  QuarantineRetried,
} from '@counterfoil/contract/operator/imports/admin-quarantine.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { useMay } from '../operator.ts';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
import { rowsOf } from '../parts/cursor-list.tsx';
import { KeyOf } from '../parts/key.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { useKeys } from '../shell/use-keys.ts';
import { CorrectDialog } from './correct-dialog.tsx';
import styles from './imports.module.css';
import { t } from './messages.ts';
import { dropEntry, importQueries, retryAll, retryEntry } from './queries.ts';
import { shownValues } from './shown-values.ts';
import { useChosenRow } from './use-chosen-row.ts';

/** The rows that an import has set aside, each beside why it waits and what can be done. */
export function Quarantine({ run }: { readonly run: AdminImportDetail }) {
  const client = useQueryClient();
  const mayImport = useMay('imports:write');
  const list = useInfiniteQuery(importQueries.quarantine(run.id));
  const rows = rowsOf(list);
  const [correcting, setCorrecting] = useState<QuarantinedEntry>();
  const [busy, setBusy] = useState<string>();
  const [said, setSaid] = useState<{
    readonly text: string;
    readonly isGood: boolean;
    readonly at: number;
  }>();
  const chosen = useChosenRow(rows, ({ id }) => id);

  const refresh = () => client.invalidateQueries({ queryKey: ['import', run.id] });
  const tell = async (text: string, isGood: boolean) => {
    await refresh();
    setSaid({ text, isGood, at: performance.now() });
  };
  const tellRetried = ({ taken, entry }: QuarantineRetried) =>
    taken ? tell(t('retry.taken'), true) : tell(t('retry.waits', { reason: entry?.reason ?? '' }), false);
  const act = async (id: string, work: () => Promise<void>) => {
    if (busy !== undefined) return;
    setBusy(id);
    try {
      await work();
    } catch (error) {
      reportFailure(error);
      await refresh();
    } finally {
      setBusy(undefined);
    }
  };
  const retry = (entry: QuarantinedEntry) =>
    act(`retry ${entry.id}`, async () => tellRetried(await retryEntry(entry.id)));
  const drop = (entry: QuarantinedEntry) =>
    act(`drop ${entry.id}`, async () => {
      await dropEntry(entry.id);
      await tell(t('dropRow.done'), true);
    });
  const all = () =>
    act('all', async () => {
      const { queued } = await retryAll(run.id);
      await tell(t('retryAll.done', { queued }), true);
    });
  const canRetry = mayImport && chosen?.canBeRetried === true;
  useKeys({
    f: canRetry && correcting === undefined ? () => setCorrecting(chosen) : undefined,
    t: canRetry ? () => void retry(chosen) : undefined,
  });

  const actsColumn: LedgerColumn<QuarantinedEntry> = {
    id: 'acts',
    label: t('quarantine.acts'),
    cell: (entry) => (
      <RowActs
        entry={entry}
        busy={busy}
        onCorrect={() => setCorrecting(entry)}
        onRetry={() => void retry(entry)}
        onDrop={() => void drop(entry)}
      />
    ),
  };
  const columns: readonly LedgerColumn<QuarantinedEntry>[] = [
    {
      id: 'row',
      label: t('quarantine.row'),
      kind: 'strong',
      cell: ({ line, fileName }) => (line === null ? fileName : t('quarantine.line', { line })),
    },
    { id: 'values', label: t('quarantine.values'), cell: (entry) => <Values entry={entry} /> },
    {
      id: 'why',
      label: t('quarantine.why'),
      cell: ({ reason }) => (
        <span className={styles.why}>
          <Icon name="alert" />
          {reason}
        </span>
      ),
    },
    ...(mayImport ? [actsColumn] : []),
  ];
  return (
    <Box
      title={t('quarantine.title', { waiting: run.waiting })}
      flush
      aside={
        mayImport && (
          <span className={styles.rowActs}>
            <span className={styles.keys}>
              <KeyOf>J</KeyOf> <KeyOf>K</KeyOf> {t('quarantine.keyRow')} <KeyOf>F</KeyOf>{' '}
              {t('quarantine.keyFix')} <KeyOf>T</KeyOf> {t('quarantine.keyRetry')}
            </span>
            <Button size="small" busy={busy === 'all'} busyLabel={t('retry.busy')} onClick={() => void all()}>
              {t('retryAll')}
            </Button>
          </span>
        )
      }
      foot={
        list.hasNextPage && (
          <Button
            busy={list.isFetchingNextPage}
            busyLabel={t('more.busy')}
            onClick={() => void list.fetchNextPage()}
          >
            {t('more')}
          </Button>
        )
      }
    >
      {said !== undefined && (
        <div className={styles.said}>
          <Outcome
            key={said.at}
            tone={said.isGood ? 'success' : 'warning'}
            onClose={() => setSaid(undefined)}
          >
            {said.text}
          </Outcome>
        </div>
      )}
      <Loaded query={list}>
        {() =>
          rows.length === 0 ? (
            <Nothing>{t('quarantine.none')}</Nothing>
          ) : (
            <Ledger
              label={t('quarantine.label')}
              columns={columns}
              rows={rows}
              rowId={({ id }) => id}
              chosen={chosen?.id}
            />
          )
        }
      </Loaded>
      {correcting !== undefined && (
        <CorrectDialog
          entry={correcting}
          onClose={() => setCorrecting(undefined)}
          onDone={async (retried) => {
            setCorrecting(undefined);
            await tellRetried(retried);
          }}
        />
      )}
    </Box>
  );
}

/** What the row says, the wrong values marked and first. */
const Values = ({ entry }: { readonly entry: QuarantinedEntry }) => (
  <dl className={styles.values}>
    {shownValues(entry.values).map(({ name, value, isWrong }) => (
      <div key={name} data-wrong={isWrong || undefined}>
        <dt>{name}</dt>
        <dd>{value === '' ? '–' : value}</dd>
      </div>
    ))}
  </dl>
);

interface RowActsProps {
  readonly entry: QuarantinedEntry;
  /** Which act is under way. */
  readonly busy: string | undefined;
  readonly onCorrect: () => void;
  readonly onRetry: () => void;
  readonly onDrop: () => void;
}

/** What can be done about a row. */
const RowActs = ({ entry, busy, onCorrect, onRetry, onDrop }: RowActsProps) => (
  <span className={styles.rowActs}>
    {entry.canBeRetried ? (
      <>
        <Button size="small" onClick={onCorrect}>
          {t('correct')}
        </Button>
        <Button
          size="small"
          busy={busy === `retry ${entry.id}`}
          busyLabel={t('retry.busy')}
          onClick={onRetry}
        >
          {t('retry')}
        </Button>
      </>
    ) : (
      <span>{t('quarantine.notKept')}</span>
    )}
    <Button
      size="small"
      variant="quiet"
      busy={busy === `drop ${entry.id}`}
      busyLabel={t('dropRow.busy')}
      onClick={onDrop}
    >
      {t('dropRow')}
    </Button>
  </span>
);
