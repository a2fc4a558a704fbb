import { periodText } from '@counterfoil/domain/time/period.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { formatDay } from '../../text/format.ts';
import { FilterBar } from '../../ui/data/filter-bar.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import styles from './cost-centres.module.css';
import { ownFirst } from './cost-shares.ts';
import { t } from './messages.ts';
import { SummaryGrid, SummaryGridWaiting } from './summary-grid.tsx';
import { chosenSpan, isReversed, monthKey, offeredMonths } from './summary-span.ts';
import type { CostSummary } from './use-cost-summary.ts';

/** What each cost centre cost; adds up to the invoices to the cent. */
export function SummaryTab({ summary }: { readonly summary: CostSummary }) {
  const { brand } = usePortal();
  const { days, data, error } = summary;
  return (
    <>
      <SpanFilters summary={summary} />
      {error ? (
        <SectionError level={2} requestId={error.requestId} onRetry={error.retry} />
      ) : days === null ? null : data === undefined ? (
        <SummaryGridWaiting currency={brand.currency} />
      ) : data.currencies.length === 0 ? (
        <EmptyState level={2} icon="chart" title={t('summary.empty')}>
          {t('summary.emptyWhy')}
        </EmptyState>
      ) : (
        <>
          {ownFirst(data.currencies, brand.currency).map((part) => (
            <SummaryGrid key={part.currency} part={part} />
          ))}
          <p className={styles.note}>{t('summary.allocationOf', { day: formatDay(data.allocationOf) })}</p>
        </>
      )}
    </>
  );
}

/** A month, the last twelve, or any days. */
function SpanFilters({ summary }: { readonly summary: CostSummary }) {
  const { choice, choose, day } = summary;
  const span = chosenSpan(choice, day);
  const months = offeredMonths(day);
  const isOffered = span === 'year' || span === 'dates' || months.some((month) => monthKey(month) === span);
  return (
    <FilterBar>
      <Select
        label={t('summary.span')}
        filter
        value={span}
        onChange={(event) => {
          const next = event.currentTarget.value;
          // The days shown so far are where the search for other ones begins.
          const { start: from, end: to } = summary.days ?? {};
          choose(
            next === 'dates' ? { span: next, from, to } : { span: next, from: undefined, to: undefined },
          );
        }}
      >
        {!isOffered && summary.days && (
          <option value={span}>{periodText(summary.days, readerLocale())}</option>
        )}
        {months.map((month) => (
          <option key={month.start} value={monthKey(month)}>
            {periodText(month, readerLocale())}
          </option>
        ))}
        <option value="year">{t('summary.year')}</option>
        <option value="dates">{t('summary.dates')}</option>
      </Select>
      {span === 'dates' && (
        <TextInput
          label={t('summary.from')}
          filter
          type="date"
          value={choice.from ?? ''}
          onChange={(event) => choose({ from: event.currentTarget.value || undefined })}
        />
      )}
      {span === 'dates' && (
        <TextInput
          label={t('summary.to')}
          filter
          type="date"
          value={choice.to ?? ''}
          error={isReversed(choice) ? t('summary.reversed') : undefined}
          onChange={(event) => choose({ to: event.currentTarget.value || undefined })}
        />
      )}
    </FilterBar>
  );
}
