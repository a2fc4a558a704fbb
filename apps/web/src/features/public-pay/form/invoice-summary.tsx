import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { isDay } from '@counterfoil/domain/time/day.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type { ReactNode } from 'react';
import { firstPaint } from '../../../lib/page/first-paint.ts';
import { runtimeConfig } from '../../../lib/page/runtime-config.ts';
import { formatDay, formatMoney } from '../../../text/format.ts';
import { StatusPill } from '../../../ui/data/status-pill.tsx';
import { type SumRow, SumRows } from '../../../ui/data/sum-rows.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { AmountBlock } from '../../../ui/layout/amount-block.tsx';
import { t } from '../messages.ts';
import { DocumentButton, invoiceDocument } from '../outcome/document-button.tsx';
import styles from '../pay.module.css';
import { type ShownPrice, wholePrice } from './part-price.ts';

interface SummaryProps {
  readonly info: PaymentInfo;
  /** The brand's word for an invoice. */
  readonly label: string;
  /** Of what is to be paid. */
  readonly price: ShownPrice;
  /** Below the sum. */
  readonly children?: ReactNode;
}

/** Whether the due date is past, in the brand's time zone. */
export const isOverdue = (dueOn: string | null, timeZone: string, now: Date): boolean =>
  dueOn !== null && isDay(dueOn) && dueOn < today(timeZone, now);

/** Amount, fee and their sum; only the amount where no fee is taken (specification, payments §2). */
export const amountRows = (
  info: PaymentInfo,
  label: string,
  { kind, amount, fee, total, isPart }: ShownPrice = wholePrice(info),
): readonly SumRow[] => [
  { id: 'amount', label: t('fact.amount', { label }), value: formatMoney(info.invoiceAmount) },
  ...(isPart ? [{ id: 'part', label: t('fact.part'), value: formatMoney(amount) }] : []),
  ...(Number(fee) > 0
    ? [
        { id: 'fee', label: t(kind === 'bank' ? 'fact.bankFee' : 'fact.fee'), value: formatMoney(fee) },
        { id: 'total', label: t('fact.total'), value: formatMoney(total), total: true },
      ]
    : []),
];

/** 'Due 12.05.2026', and whether that is past; nothing where no day is set. */
export function DueLine({ info }: { readonly info: PaymentInfo }) {
  const timeZone = runtimeConfig.brand?.timeZone ?? 'UTC';
  if (info.invoiceDueDate === null) return null;
  const now = firstPaint === undefined ? new Date() : new Date(firstPaint.now);
  return (
    <>
      <span className={styles.due}>
        {t('head.due')} <DayText day={info.invoiceDueDate} />
      </span>
      {isOverdue(info.invoiceDueDate, timeZone, now) && (
        <StatusPill tone="danger" icon="alert">
          {t('head.overdue')}
        </StatusPill>
      )}
    </>
  );
}

export const DayText = ({ day }: { readonly day: string | null }) =>
  day === null ? '-' : <time dateTime={day}>{formatDay(day)}</time>;

/** What is to be paid, by when, to whom and for what. */
export function InvoiceSummary({ info, label, price, children }: SummaryProps) {
  const facts = [
    { id: 'number', name: t('fact.number', { label }), value: info.InvoiceNumber },
    ...(info.periodLabel === null ? [] : [{ id: 'period', name: t('fact.period'), value: info.periodLabel }]),
    { id: 'date', name: t('fact.date', { label }), value: <DayText day={info.invoiceDate} /> },
  ];
  return (
    <>
      <div className={styles.head}>
        <AmountBlock
          as="h1"
          label={t('head.from', { label, brand: info.brandName })}
          amount={formatMoney(price.total)}
          facts={<DueLine info={info} />}
        />
        <DocumentButton variant="quiet" size="small" {...invoiceDocument(info)}>
          <Icon name="download" />
          {t('document.invoice', { label })}
        </DocumentButton>
      </div>
      <dl className={styles.facts}>
        {facts.map(({ id, name, value }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <SumRows rows={amountRows(info, label, price)} look="tight" />
      {children}
    </>
  );
}
