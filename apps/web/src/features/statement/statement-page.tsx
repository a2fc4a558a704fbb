import { today } from '@counterfoil/domain/time/time-zone.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { CsvButton } from '../../lib/csv/csv-button.tsx';
import { saveCsv } from '../../lib/files/save-csv.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { formatDay } from '../../text/format.ts';
import { FilterBar } from '../../ui/data/filter-bar.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { DateRange } from '../../ui/fields/date-range.tsx';
import { type DateRangeValue, isPeriod, readDateRange } from '../../ui/fields/date-range-model.ts';
import { Select } from '../../ui/fields/select.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
import { Account } from './account.tsx';
import { t } from './messages.ts';
import { statementQueries } from './queries.ts';
import styles from './statement.module.css';
import { StatementPdfButton } from './statement-pdf-button.tsx';
import { statementCsv } from './statement-rows.tsx';
import { chosenRange, lastMonths } from './statement-span.ts';

const filters = ['from', 'to', 'currency'] as const;

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
  const currency = data?.currency ?? brand.currency;
  const currencies = [...new Set([...(data?.currencies ?? []), currency])];
  useTitle(t('title'), brand.name);

  const changeRange = (next: DateRangeValue) => {
    const whole = isPeriod(readDateRange(next));
    setDraft(whole ? undefined : next);
    if (whole) choose(next);
  };
  const download = (byteOrderMark: boolean) => {
    if (data === undefined) return;
    const csv = statementCsv(data, settings.invoiceLabelSingular);
    saveCsv(csv.name, csv, byteOrderMark);
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
            <CsvButton onDownload={download} disabled={!isShown}>
              {t('download')}
            </CsvButton>
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
          {/* Always there, so that nothing below it moves once it is known how many there are. */}
          <Select
            label={t('currency')}
            filter
            disabled={currencies.length < 2}
            value={currency}
            onChange={(event) => choose({ currency: event.currentTarget.value })}
          >
            {currencies.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </Select>
        </FilterBar>
      </div>
      {data === undefined && isError ? (
        <SectionError
          level={2}
          requestId={requestIdOf(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <Account statement={data} span={span} isWaiting={isPlaceholderData} />
      )}
    </>
  );
}
