import type {
  Agreement,
  BillingPeriod,
  Transaction,
  TransactionSums,
} from '@counterfoil/contract/transactions.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import { periodOf, periodText } from '@counterfoil/domain/time/period.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { CsvButton } from '../../lib/csv/csv-button.tsx';
import { ListSearch, NothingFound } from '../../lib/lists/list-search.tsx';
import { usePagedList } from '../../lib/lists/use-paged-list.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePreference } from '../../lib/preferences.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { isolated } from '../../text/format-message.ts';
import { FilterBar } from '../../ui/data/filter-bar.tsx';
import { Grid } from '../../ui/data/grid/grid.tsx';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { ComboBox } from '../../ui/fields/combo-box.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
import { t } from './messages.ts';
import { priceSum } from './price-sum.ts';
import { transactionList, transactionQueries } from './queries.ts';
import { extraColumns, transactionColumns } from './transaction-columns.tsx';
import { useTransactionsFile } from './use-transactions-file.ts';

const filters = ['agreement', 'period', 'search'] as const;
const replacing = { replace: true };

const spanOf = (period: BillingPeriod) => periodOf(parseDay(period.periodStart), parseDay(period.periodEnd));

/** What was charged in a billing period of an agreement; agreement and period stand in the URL. */
export default function TransactionsPage() {
  const { brand } = usePortal();
  const agreements = useQuery(transactionQueries.agreements());
  useTitle(t('title'), brand.name);
  const { data, isError, error, refetch } = agreements;
  if (isError && data === undefined) {
    return (
      <>
        <PageHead title={t('title')} />
        <SectionError level={2} requestId={requestIdOf(error)} onRetry={() => void refetch()} />
      </>
    );
  }
  if (data?.length === 0) {
    return (
      <>
        <PageHead title={t('title')} />
        <EmptyState level={2} title={t('empty.agreements')}>
          {t('empty.agreementsWhy')}
        </EmptyState>
      </>
    );
  }
  return <Transactions agreements={data} />;
}

/** The sum stands under the prices where these are the last column, else beside its words. */
function sumOf(sums: TransactionSums, isPriceWithin: boolean) {
  const [label, figure] = [t('sum', { count: sums.count }), priceSum(sums)];
  return isPriceWithin ? { label: `${label}: ${figure}`, figure: '' } : { label, figure };
}

function Transactions({ agreements }: { readonly agreements: readonly Agreement[] | undefined }) {
  const { brand } = usePortal();
  const [chosen, choose] = useUrlParameters(filters);
  const [, typeIn] = useUrlParameters(filters, replacing);
  // When none is chosen, the first one is (specification, portal §2).
  const agreement = agreements?.find(({ id }) => id === chosen.agreement) ?? agreements?.[0];
  const periods = useQuery({
    ...transactionQueries.periods(agreement?.id ?? ''),
    enabled: agreement !== undefined,
  });
  const period = periods.data?.find(({ id }) => id === chosen.period) ?? periods.data?.[0];
  const sums = useQuery({ ...transactionQueries.sums(period?.id ?? ''), enabled: period !== undefined });
  const labels = useQuery(transactionQueries.extraLabels());
  const [state, setState] = useGridUrlState();
  const extra = useMemo(() => extraColumns(brand, labels.data ?? []), [brand, labels.data]);
  const list = usePagedList<Transaction>({
    source: transactionList,
    state,
    filter: { period: period?.id, search: chosen.search },
    enabled: period !== undefined,
  });
  // Columns of their own turn the table into cards: rows that stood before them would move.
  const listed = labels.isPending ? undefined : list.rows;
  const rows = periods.data?.length === 0 ? [] : listed;
  const columns = useMemo(() => transactionColumns(extra, sums.data), [extra, sums.data]);
  const paper = useMemo(() => ({ rows: list.onPaper, where: t('paper.rest') }), [list.onPaper]);
  const file = useTransactionsFile(period, extra);
  const options = useMemo(
    () => periods.data?.map((one) => ({ id: one.id, label: periodText(spanOf(one), readerLocale()) })) ?? [],
    [periods.data],
  );
  const failed = periods.isError && periods.data === undefined;
  const preference = usePreference('grid.transactions');
  return (
    <>
      <PageHead
        title={t('title')}
        tools={
          <CsvButton
            onDownload={file.download}
            busy={file.isBusy}
            busyLabel={t('downloading')}
            disabled={sums.data === undefined || sums.data.count === 0}
          >
            {t('download')}
          </CsvButton>
        }
      />
      <FilterBar>
        <Select
          label={t('agreement')}
          filter
          value={agreement?.id ?? ''}
          onChange={(event) => choose({ agreement: event.currentTarget.value, period: undefined })}
        >
          {agreements?.map(({ id, agreementName }) => (
            <option key={id} value={id}>
              {isolated(agreementName)}
            </option>
          ))}
        </Select>
        <Field label={t('period')} filter>
          {(control) => (
            <ComboBox
              options={options}
              value={period?.id}
              onChange={(id) => choose({ period: id })}
              label={t('period')}
              placeholder={options.length === 0 ? t('period.none') : t('period.search')}
              sorted={false}
              compact
              control={control}
            />
          )}
        </Field>
        <ListSearch
          hint={t('search.hint')}
          value={chosen.search}
          total={list.stale ? undefined : list.total}
          onChange={(search) => typeIn({ search })}
        />
      </FilterBar>
      <Grid
        preference={preference}
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        state={state}
        onState={setState}
        paging={list.paging}
        stale={list.stale}
        paper={paper}
        // Five more columns of the brand's own find room in small type.
        dense={extra.length > 0}
        foot={sums.data && chosen.search === undefined ? sumOf(sums.data, extra.length > 0) : undefined}
        error={
          failed ? { requestId: requestIdOf(periods.error), retry: () => void periods.refetch() } : list.error
        }
        empty={
          chosen.search === undefined ? (
            <EmptyState level={2} title={t('empty.period')}>
              {t('empty.periodWhy')}
            </EmptyState>
          ) : (
            <NothingFound why={t('found.noneWhy')} onClear={() => typeIn({ search: undefined })} />
          )
        }
      />
    </>
  );
}
