import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { USAGE_NUMBER_MAX } from '@counterfoil/contract/usage.ts';
import { useMemo, useRef, useState } from 'react';
import { useChoiceRows } from '../../lib/lists/use-choice-rows.ts';
import { byLabel, itemChoice, serviceItemList } from '../../shared/service-items/queries.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { isolated } from '../../text/format-message.ts';
import { FilterLine } from '../../ui/data/filter-line.tsx';
import { FilterText } from '../../ui/data/filter-text.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { ComboBox } from '../../ui/fields/combo-box.tsx';
import { type ComboOption, sortedOptions } from '../../ui/fields/combo-box-model.ts';
import { DateRange } from '../../ui/fields/date-range.tsx';
import { type DateRangeValue, isPeriod, readDateRange } from '../../ui/fields/date-range-model.ts';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import type { UsageLabels } from './labels.ts';
import { t } from './messages.ts';
import styles from './usage.module.css';
import { ALL_SERVICES, chosenTimeframe, timeframes, typedDays } from './usage-filter.ts';
import type { Offered, Usage } from './use-usage.ts';

/** Typing pauses this long before the server is asked, ms. */
const PAUSE_MS = 350;
const ALL = '';

/** Agreement, timeframe, service, connection, type and number; the days, where they are chosen freely. */
export function UsageFilters({ usage, labels }: { readonly usage: Usage; readonly labels: UsageLabels }) {
  const { choice, choose, typeIn, services, agreements, recordTypes, serviceId } = usage;
  const many = services.data === undefined || services.data.length !== 1;
  const whole = useRef<HTMLFieldSetElement>(null);
  return (
    <>
      <fieldset ref={whole} className={styles.filters} aria-label={t('filter.label')}>
        <Select
          label={t('filter.agreement')}
          filter
          hint={agreements.retry && <Retry offered={agreements} />}
          value={choice.agreement ?? ALL}
          onChange={(event) => choose({ agreement: event.currentTarget.value || undefined })}
        >
          <option value={ALL}>{t('filter.agreement.all')}</option>
          {agreements.data?.map(({ id, agreementName }) => (
            <option key={id} value={id}>
              {isolated(agreementName)}
            </option>
          ))}
          <Lost id={choice.agreement} among={agreements} />
        </Select>
        <TimeframeSelect usage={usage} />
        <Select
          label={t('filter.service')}
          filter
          value={serviceId ?? ALL}
          onChange={(event) => usage.chooseService(event.currentTarget.value)}
        >
          {services.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {isolated(name)}
            </option>
          ))}
          {many && <option value={ALL_SERVICES}>{t('filter.service.all')}</option>}
          {serviceId !== ALL_SERVICES && <Lost id={choice.service} among={services} />}
          {serviceId === undefined && <option value={ALL} />}
        </Select>
        <Connections usage={usage} />
        <Select
          label={t('filter.type')}
          filter
          hint={recordTypes.retry && <Retry offered={recordTypes} />}
          value={choice.type ?? ALL}
          onChange={(event) => choose({ type: event.currentTarget.value || undefined })}
        >
          <option value={ALL}>{t('filter.type.all')}</option>
          {recordTypes.data?.map(({ id, description }) => (
            <option key={id} value={id}>
              {isolated(description)}
            </option>
          ))}
          <Lost id={choice.type} among={recordTypes} />
        </Select>
        <FilterText
          label={t('filter.number', { label: labels.serviceItem2 })}
          placeholder={t('filter.number.hint')}
          maxLength={USAGE_NUMBER_MAX}
          pause={PAUSE_MS}
          value={choice.number}
          onChange={(number) => typeIn({ number })}
        />
        {chosenTimeframe(choice) === 'dates' && <Dates usage={usage} />}
      </fieldset>
      <FilterLine filters={whole} />
    </>
  );
}

/** What the URL names and the list does not have: a select must not show something else instead. */
function Lost<T extends { readonly id: string }>({
  id,
  among,
}: {
  readonly id: string | undefined;
  readonly among: Offered<T>;
}) {
  return id === undefined || id === ALL || among.data?.some((one) => one.id === id) ? null : (
    <option value={id}>{among.data === undefined ? '…' : '?'}</option>
  );
}

const Retry = ({ offered }: { readonly offered: Pick<Offered<unknown>, 'retry'> }) =>
  offered.retry === undefined ? null : (
    <Button variant="quiet" size="small" onClick={offered.retry}>
      {t('filter.retry')}
    </Button>
  );

function TimeframeSelect({ usage: { choice, choose, range } }: { readonly usage: Usage }) {
  return (
    <Select
      label={t('filter.timeframe')}
      filter
      value={chosenTimeframe(choice)}
      onChange={(event) => {
        const timeframe = event.currentTarget.value;
        // The days shown so far are where the search for other ones begins.
        const days = timeframe === 'dates' ? range : undefined;
        choose({ timeframe, from: days?.start, to: days?.end, only: undefined });
      }}
    >
      {timeframes.map((one) => (
        <option key={one} value={one}>
          {t(`timeframe.${one}`)}
        </option>
      ))}
    </Select>
  );
}

/** What is typed reaches the URL once it is a period. */
function Dates({ usage: { choice, typeIn } }: { readonly usage: Usage }) {
  const [draft, setDraft] = useState<DateRangeValue>();
  const value = draft ?? typedDays(choice);
  const read = readDateRange(value);
  return (
    <div className={styles.dates}>
      <DateRange
        id="usage-dates"
        filter
        value={value}
        problems={isPeriod(read) ? [] : read}
        onChange={(next) => {
          const isWhole = isPeriod(readDateRange(next));
          setDraft(isWhole ? undefined : next);
          if (isWhole) typeIn({ ...next, only: undefined });
        }}
      />
    </div>
  );
}

/** A customer may have thousands of lines: they are searched by number and by what they are called. */
function Connections({ usage }: { readonly usage: Usage }) {
  const { choice, choose, itemsOf, connection } = usage;
  const { rows, more, retry } = useChoiceRows<ServiceItem>(
    serviceItemList,
    itemChoice(itemsOf ?? null),
    byLabel,
    itemsOf !== undefined,
  );
  const options = useMemo<readonly ComboOption[]>(() => {
    // Chosen before, and not among the first.
    const isElsewhere = connection !== undefined && rows?.every(({ id }) => id !== connection.id) === true;
    const items = [...(rows ?? []), ...(isElsewhere ? [connection] : [])].map(
      ({ id, serviceItem, description }) => ({
        id,
        label: description ? `${serviceItem} · ${description}` : serviceItem,
      }),
    );
    return [{ id: ALL, label: t('filter.connection.all') }, ...sortedOptions(items, readerLocale())];
  }, [rows, connection]);
  return (
    <Field label={t('filter.connection')} filter hint={retry && <Retry offered={{ retry }} />}>
      {(control) => (
        <ComboBox
          options={options}
          value={choice.connection ?? ALL}
          onChange={(id) => choose({ connection: id || undefined })}
          label={t('filter.connection')}
          placeholder={t('filter.connection.search')}
          sorted={false}
          compact
          more={more}
          control={control}
        />
      )}
    </Field>
  );
}
