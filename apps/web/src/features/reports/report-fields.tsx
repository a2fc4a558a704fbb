import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { ExportType, exportExtension, type Report } from '@counterfoil/contract/reports.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CsvMarkChoice } from '../../lib/csv/csv-mark-choice.tsx';
import { byLongestWord, useChoiceRows } from '../../lib/lists/use-choice-rows.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { firstWeekday } from '../../lib/values/week-start.ts';
import { firstPage, invoiceList, invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { formatDay } from '../../text/format.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ComboBox } from '../../ui/fields/combo-box.tsx';
import { DateRange } from '../../ui/fields/date-range.tsx';
import { lastMonth, lastWeek, rangeOf, thisMonth } from '../../ui/fields/date-range-model.ts';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { t } from './messages.ts';
import { reportQueries } from './queries.ts';
import { asksFor, type ReportProblems, type ReportValues } from './report-form.ts';
import styles from './reports.module.css';

/** Ids of the fields, for links from the summary of problems. */
export const fieldIds = {
  from: 'report-from',
  to: 'report-to',
  service: 'report-service',
  invoice: 'report-invoice',
} as const;

interface ReportFieldsProps {
  readonly report: Report;
  readonly values: ReportValues;
  readonly onChange: (change: Partial<ReportValues>) => void;
  /** Empty until the first try. */
  readonly problems: ReportProblems;
}

/** The fields a report declares, and the format. */
export function ReportFields({ report, values, onChange, problems }: ReportFieldsProps) {
  return (
    <>
      {asksFor(report, 'DateRange') && <Dates {...{ report, values, onChange, problems }} />}
      {asksFor(report, 'ServiceId') && <ServiceField {...{ report, values, onChange, problems }} />}
      {asksFor(report, 'InvoiceId') && <InvoiceField {...{ report, values, onChange, problems }} />}
      <Select
        label={t('format.label')}
        value={values.exportTypeId}
        onChange={(event) =>
          onChange({ exportTypeId: Number(event.currentTarget.value) as ReportValues['exportTypeId'] })
        }
      >
        {Object.values(ExportType).map((type) => (
          <option key={type} value={type}>
            {t(`format.${exportExtension[type]}`)}
          </option>
        ))}
      </Select>
      {values.exportTypeId === ExportType.CSV && <CsvMarkChoice />}
    </>
  );
}

function Dates({ report, values, onChange, problems }: ReportFieldsProps) {
  const { brand } = usePortal();
  const day = today(brand.timeZone, new Date());
  const isRequired = asksFor(report, 'DateRange') === 'required';
  return (
    <div className={styles.dates}>
      <DateRange
        id="report"
        value={values.dates}
        onChange={(dates) => onChange({ dates })}
        problems={problems.dates}
        required={isRequired}
      />
      <div className={styles.presets}>
        <Button size="small" onClick={() => onChange({ dates: rangeOf(thisMonth(day)) })}>
          {t('dates.thisMonth')}
        </Button>
        <Button size="small" onClick={() => onChange({ dates: rangeOf(lastMonth(day)) })}>
          {t('dates.lastMonth')}
        </Button>
        <Button size="small" onClick={() => onChange({ dates: rangeOf(lastWeek(day, firstWeekday())) })}>
          {t('dates.lastWeek')}
        </Button>
        {!isRequired && (
          <Button size="small" onClick={() => onChange({ dates: { from: '', to: '' } })}>
            {t('default')}
          </Button>
        )}
      </div>
      {!isRequired && <p className={styles.small}>{t('dates.optional')}</p>}
    </div>
  );
}

function ServiceField({ report, values, onChange, problems }: ReportFieldsProps) {
  const { data } = useQuery(reportQueries.services());
  const isRequired = asksFor(report, 'ServiceId') === 'required';
  return (
    <Select
      id={fieldIds.service}
      label={t('service')}
      value={values.serviceId}
      onChange={(event) => onChange({ serviceId: event.currentTarget.value })}
      error={problems.service ? t('service.missing') : undefined}
      aria-required={isRequired}
    >
      <option value="">{t(isRequired ? 'service.choose' : 'default')}</option>
      {data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function InvoiceField({ report, values, onChange, problems }: ReportFieldsProps) {
  const { settings } = usePortal();
  const isRequired = asksFor(report, 'InvoiceId') === 'required';
  const { rows, more } = useChoiceRows<Invoice>(invoiceList, firstPage, byLongestWord);
  const { invoiceId: chosen } = values;
  // Chosen before, and not among the latest.
  const isElsewhere = chosen !== '' && rows?.every(({ id }) => id !== chosen) === true;
  const elsewhere = useQuery({ ...invoiceQueries.chosen([chosen]), enabled: isElsewhere });
  const options = useMemo(
    () => [
      ...(isRequired ? [] : [{ id: '', label: t('default') }]),
      ...[...(rows ?? []), ...(isElsewhere ? (elsewhere.data ?? []) : [])].map((invoice) => ({
        id: invoice.id,
        label: `${invoice.number}, ${formatDay(invoice.dateInvoice)}`,
      })),
    ],
    [rows, isElsewhere, elsewhere.data, isRequired],
  );
  const label = settings.invoiceLabelSingular;
  return (
    <Field id={fieldIds.invoice} label={label} error={problems.invoice ? t('invoice.missing') : undefined}>
      {(control) => (
        <ComboBox
          options={options}
          value={values.invoiceId}
          onChange={(invoiceId) => onChange({ invoiceId })}
          label={label}
          placeholder={t('invoice.search')}
          sorted={false}
          more={more}
          control={control}
        />
      )}
    </Field>
  );
}
