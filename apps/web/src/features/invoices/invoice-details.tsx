import type { InvoiceDetail } from '@counterfoil/contract/invoices.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { SumRows } from '../../ui/data/sum-rows.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { EInvoices } from './e-invoices.tsx';
import { discrepancyTexts, sumLines, sumOfCards } from './invoice-figures.ts';
import { InvoicePayments } from './invoice-payments.tsx';
import styles from './invoices.module.css';
import { LinesGrid } from './lines/lines-grid.tsx';
import { t } from './messages.ts';

interface DetailsProps {
  readonly invoice: InvoiceDetail;
  /** The brand's word for an invoice. */
  readonly label: string;
}

/** The Details tab: facts, Subtotal + Tax = Invoice Amount, what became of it, and the lines. */
export const InvoiceDetails = ({ invoice, label }: DetailsProps) => (
  <>
    <Facts invoice={invoice} label={label} />
    <AsData invoice={invoice} />
    {invoice.discrepancies.length > 0 && <Discrepancies invoice={invoice} />}
    <SumCards invoice={invoice} />
    <Settled invoice={invoice} />
    <LinesGrid invoice={invoice} />
  </>
);

function AsData({ invoice }: Pick<DetailsProps, 'invoice'>) {
  const { settings } = usePortal();
  return settings.eInvoices && <EInvoices invoice={invoice} />;
}

/** What identifies the invoice; a missing due date is '-'. */
export function Facts({ invoice, label }: DetailsProps) {
  const facts = [
    { id: 'number', name: t('fact.number', { label }), value: invoice.number },
    { id: 'customer', name: t('fact.customer'), value: invoice.customer.name },
    { id: 'date', name: t('fact.date', { label }), value: formatDay(invoice.dateInvoice) },
    { id: 'due', name: t('fact.dueDate'), value: formatDay(invoice.dateDue) },
    { id: 'period', name: t('fact.period'), value: invoice.periodLabel },
    { id: 'costCentre', name: t('fact.costCentre'), value: invoice.costCentre },
    { id: 'note', name: t('fact.note'), value: invoice.note },
  ].filter(({ value }) => value !== null && value !== '');
  return (
    <dl className={styles.facts}>
      {facts.map(({ id, name, value }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Discrepancies({ invoice }: Pick<DetailsProps, 'invoice'>) {
  const { settings } = usePortal();
  return (
    <Banner tone="warning">
      <strong>{t('discrepancy.title')}</strong>
      <ul className={styles.discrepancies}>
        {discrepancyTexts(invoice).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>{t('discrepancy.note', { company: settings.companyName })}</p>
    </Banner>
  );
}

/** Three cards that read as an equation; a column sum on a phone. */
export function SumCards({ invoice }: Pick<DetailsProps, 'invoice'>) {
  const money = (amount: number | string) => formatMoney(amount, { currency: invoice.currency });
  const cards = [
    { id: 'subtotal', before: '', amount: money(invoice.subtotal) },
    { id: 'tax', before: '+', amount: money(invoice.tax) },
    { id: 'total', before: '=', amount: money(sumOfCards(invoice)) },
  ] as const;
  return (
    <dl className={styles.cards}>
      {cards.map(({ id, before, amount }) => (
        <div key={id} className={styles.card} data-before={before}>
          <dt>{t(`card.${id}`)}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How the amount came down to what is due, and beside it the payments themselves. */
function Settled({ invoice }: Pick<DetailsProps, 'invoice'>) {
  if (invoice.payments.length === 0) return <SumBelow invoice={invoice} />;
  return (
    <div className={styles.settled}>
      <InvoicePayments invoice={invoice} />
      <SumBelow invoice={invoice} />
    </div>
  );
}

/** Rounding, prepaid amount, payments and credits down to the amount due. */
export function SumBelow({ invoice }: Pick<DetailsProps, 'invoice'>) {
  const lines = sumLines(invoice);
  if (lines.length === 0) return null;
  return (
    <section className={styles.below} aria-label={t('sum.label')}>
      <SumRows rows={lines} />
    </section>
  );
}
