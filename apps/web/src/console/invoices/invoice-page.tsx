import type { AdminInvoiceDetail } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { useTitle } from '../../ui/layout/title.ts';
import { Box } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { Facts } from '../parts/facts.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { EInvoiceBox } from './e-invoice-box.tsx';
import { InvoiceActs } from './invoice-acts.tsx';
import { InvoiceState } from './invoice-state.tsx';
import { LinesBox } from './lines-box.tsx';
import { t } from './messages.ts';
import { invoiceQueries } from './queries.ts';

/** One invoice or credit note: where it stands, what it bills, and what can be done. */
export default function InvoicePage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const invoice = useQuery(invoiceQueries.one(id));
  useTitle(invoice.data?.number ?? t('title'), consoleName);
  return (
    <OnePage query={invoice} list={{ to: '/admin/invoices', label: t('title') }}>
      {(data) => <Invoice key={id} invoice={data} />}
    </OnePage>
  );
}

function Invoice({ invoice }: { readonly invoice: AdminInvoiceDetail }) {
  const [done, setDone] = useState<string>();
  const { number, kind, customer, customerId, issuedOn, dueOn } = invoice;
  return (
    <>
      <PageTop
        title={t(`kind.${kind}`, { number })}
        facts={[
          <Link key="customer" to={`/admin/customers/${customerId}` as never} dir="auto">
            {customer}
          </Link>,
          t('one.issued', { day: formatDay(issuedOn) }),
          ...(dueOn === null ? [] : [t('one.due', { day: formatDay(dueOn) })]),
          <InvoiceState key="state" invoice={invoice} />,
        ]}
        acts={<InvoiceActs invoice={invoice} onDone={setDone} />}
      />
      <Done words={done} onClose={() => setDone(undefined)} />
      <div className={parts.split}>
        <div className={parts.stack}>
          <LinesBox invoice={invoice} />
          <EInvoiceBox invoice={invoice} />
        </div>
        <div className={parts.stack}>
          <Amounts invoice={invoice} />
          <Details invoice={invoice} />
        </div>
      </div>
    </>
  );
}

const sums = [
  'subtotal',
  'tax',
  'total',
  'rounding',
  'prepaid',
  'payable',
  'paid',
  'credited',
  'reversed',
  'beingPaid',
  'due',
] as const;
/** Said also where they are nothing. */
const always: ReadonlySet<string> = new Set(['subtotal', 'tax', 'total', 'payable', 'due']);

const Amounts = ({ invoice }: { readonly invoice: AdminInvoiceDetail }) => (
  <Box title={t('amounts.title')}>
    <dl className={parts.sums}>
      {sums
        .filter((sum) => always.has(sum) || Number(invoice[sum]) !== 0)
        .map((sum) => (
          <div key={sum}>
            <dt>{t(`amounts.${sum}`)}</dt>
            <dd className={sum === 'due' ? parts.strong : undefined}>
              {formatMoney(invoice[sum], { currency: invoice.currency })}
            </dd>
          </div>
        ))}
    </dl>
  </Box>
);

function Details({ invoice }: { readonly invoice: AdminInvoiceDetail }) {
  const { customer, customerId, periodFrom, periodTo, createdAt } = invoice;
  const { day, time } = formatMoment(createdAt, 'UTC');
  const period =
    periodFrom === null || periodTo === null
      ? t('facts.none')
      : t('facts.span', { from: formatDay(periodFrom), to: formatDay(periodTo) });
  return (
    <Facts
      title={t('facts.title')}
      facts={[
        [
          t('facts.customer'),
          <Link key="customer" to={`/admin/customers/${customerId}` as never} dir="auto">
            {customer}
          </Link>,
        ],
        [t('facts.period'), period],
        [t('facts.came'), `${day} ${time}`],
      ]}
    />
  );
}
