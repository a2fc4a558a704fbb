import type { Statement } from '@counterfoil/contract/statement.ts';
import { today } from '@counterfoil/domain/time-zone.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { formatDay, formatMoney } from '../../lib/format.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { saveCsv } from '../../lib/save-csv.ts';
import { Button } from '../../ui/button.tsx';
import { DateRange } from '../../ui/date-range.tsx';
import { type DateRangeValue, isPeriod, readDateRange } from '../../ui/date-range-model.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Grid } from '../../ui/grid/grid.tsx';
import { useGridUrlState } from '../../ui/grid/use-grid-url-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, SectionError } from '../../ui/section-state.tsx';
import { Select } from '../../ui/select.tsx';
import { LoadingNote, Skeleton } from '../../ui/skeleton.tsx';
import { SumRows } from '../../ui/sum-rows.tsx';
import { useTitle } from '../../ui/title.ts';
import { useUrlParameters } from '../../ui/use-url-parameters.ts';
import { AgeingTile } from './ageing-tile.tsx';
import { t } from './messages.ts';
import { statementQueries } from './queries.ts';
import styles from './statement.module.css';
import { StatementPdfButton } from './statement-pdf-button.tsx';
import { entryColumns, rowsOf, statementCsv } from './statement-rows.tsx';
import { chosenRange, lastMonths } from './statement-span.ts';
import { usePrinting } from './use-printing.ts';

const filters = ['from', 'to', 'currency'] as const;
const ROWS_A_PAGE = 25;

const isCode = (text: string | undefined): boolean => text !== undefined && /^[A-Z]{3}$/.test(text);

/** Settings → Statement: what was billed, paid and credited over some days, and what is open. */
export default function StatementPage() {
  const { brand, customer, settings } = usePortal();
  const [chosen, choose] = useUrlParameters(filters);
  const day = today(brand.timeZone, new Date());
  const inAddress = chosenRange(chosen, day);
  // What is typed reaches the address once it is a period.
  const [draft, setDraft] = useState<DateRangeValue>();
  const range = draft ?? inAddress;
  const read = readDateRange(range);
  const held = readDateRange(inAddress);
  const span = isPeriod(held) ? held : lastMonths(day);
  const { data, error, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    ...statementQueries.span(span, isCode(chosen.currency) ? chosen.currency : undefined),
    placeholderData: keepPreviousData,
  });
  // What is saved or printed is what was asked for, never the days before.
  const isShown = data !== undefined && !isPlaceholderData;
  useTitle(t('title'), brand.name);

  const changeRange = (next: DateRangeValue) => {
    const whole = isPeriod(readDateRange(next));
    setDraft(whole ? undefined : next);
    if (whole) choose(next);
  };
  const download = () => {
    if (data === undefined) return;
    const csv = statementCsv(data, settings.invoiceLabelSingular);
    saveCsv(csv.name, csv.head, csv.rows);
  };
  return (
    <>
      <PageHead
        title={t('title')}
        tools={
          <>
            <Button onClick={() => globalThis.print()} disabled={!isShown}>
              {t('print')}
            </Button>
            <Button onClick={download} disabled={!isShown}>
              <Icon name="download" />
              {t('download')}
            </Button>
            <StatementPdfButton statement={isShown ? data : undefined} />
          </>
        }
      />
      {data && (
        <p className={styles.paper}>
          {t('paper', {
            customer: customer?.label ?? brand.companyName,
            from: formatDay(data.dateFrom),
            to: formatDay(data.dateTo),
            currency: data.currency,
          })}
        </p>
      )}
      <div className={styles.filters}>
        <FilterBar>
          <DateRange
            id="statement"
            filter
            value={range}
            onChange={changeRange}
            problems={isPeriod(read) ? [] : read}
          />
          {data && data.currencies.length > 1 && (
            <Select
              label={t('currency')}
              filter
              value={data.currency}
              onChange={(event) => choose({ currency: event.currentTarget.value })}
            >
              {[...new Set([...data.currencies, data.currency])].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </FilterBar>
      </div>
      {data ? (
        <Account statement={data} isWaiting={isPlaceholderData} />
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
          <div className={styles.tiles}>
            <Skeleton width="100%" height="13rem" />
            <Skeleton width="100%" height="13rem" />
          </div>
          <Skeleton width="100%" height="20rem" />
        </>
      )}
    </>
  );
}

interface AccountProps {
  readonly statement: Statement;
  /** Another span is on its way; this is the one before. */
  readonly isWaiting: boolean;
}

function Account({ statement, isWaiting }: AccountProps) {
  const { settings } = usePortal();
  const [state, setState] = useGridUrlState();
  const isPrinting = usePrinting();
  const balanceTitle = useId();
  const { currency, dateFrom, dateTo, entries } = statement;
  const label = settings.invoiceLabelSingular;
  const columns = useMemo(() => entryColumns(currency, label), [currency, label]);
  const rows = useMemo(() => rowsOf(statement), [statement]);
  const money = (amount: number) => formatMoney(amount, { currency });
  return (
    <div className={styles.account} aria-busy={isWaiting || undefined}>
      <div className={styles.tiles}>
        <section className={styles.tile} aria-labelledby={balanceTitle}>
          <h2 id={balanceTitle}>{t('balance.title')}</h2>
          <SumRows
            rows={[
              {
                id: 'opening',
                label: t('balance.opening', { day: formatDay(dateFrom) }),
                value: money(statement.opening),
              },
              { id: 'billed', label: t('balance.billed'), value: money(statement.billed) },
              { id: 'paid', label: t('balance.paid'), value: money(statement.paidAndCredited) },
              {
                id: 'closing',
                label: t('balance.closing', { day: formatDay(dateTo) }),
                value: money(statement.closing),
                total: true,
              },
            ]}
          />
        </section>
        <AgeingTile ageing={statement.ageing} currency={currency} />
      </div>
      <section className={styles.entries} aria-labelledby={`${balanceTitle}-entries`}>
        <h2 id={`${balanceTitle}-entries`}>{t('entries.title')}</h2>
        <Grid
          label={t('entries.title')}
          columns={columns}
          rows={rows}
          rowId={(row) => String(row.place)}
          state={isPrinting ? { ...state, page: 1 } : state}
          onState={setState}
          paging={{ mode: 'client', size: isPrinting ? Math.max(1, entries.length) : ROWS_A_PAGE }}
          foot={{
            label: t('balance.closing', { day: formatDay(dateTo) }),
            figure: money(statement.closing),
          }}
          empty={
            <EmptyState level={3} title={t('empty.title')}>
              {t('empty.why')}
            </EmptyState>
          }
        />
      </section>
    </div>
  );
}
