import type { Invoice, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePortal } from '../../../lib/portal/portal-context.ts';
import { tabStorage } from '../../../lib/session/tab-storage.ts';
import { HowToPay } from '../../../paying/how-to-pay.tsx';
import { takesPayments } from '../../../paying/otherwise/other-way.tsx';
import { PayButton } from '../../../paying/pay-button.tsx';
import { isDue, offersPay } from '../../../shared/invoices/invoice-state.ts';
import { createSelectionStore } from '../../../shared/invoices/selection-store.ts';
import { formatDay, formatMoney } from '../../../text/format.ts';
import { StatusPill } from '../../../ui/data/status-pill.tsx';
import { buttonClass } from '../../../ui/fields/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { AmountBlock } from '../../../ui/layout/amount-block.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { Tile, type TileSpan } from '../../../ui/layout/tile.tsx';
import styles from '../dashboard.module.css';
import { type Due, dueByCurrency } from '../due.ts';
import { Loaded } from '../loaded.tsx';
import { t } from '../messages.ts';
import { dashboardQueries } from '../queries.ts';

type Invoices = readonly Invoice[];

/** First of all: what is due, by when, and the one thing to do about it. */
export function DueTile({
  overview,
  list,
  span,
}: {
  readonly overview: UseQueryResult<InvoiceOverview>;
  readonly list: UseQueryResult<Invoices>;
  readonly span: TileSpan;
}) {
  const credit = useQuery(dashboardQueries.credit());
  // Both at once: the credit is a line of its own, and would move what stands below.
  const isWaiting = credit.isPending && !overview.isError;
  return (
    <Tile title={t('due.title')} head="own" span={span}>
      <div className={styles.due}>
        {isWaiting ? (
          <Waiting />
        ) : (
          <Loaded
            query={overview}
            waiting={<Waiting />}
            heading={<h2 className={styles.muted}>{t('due.title')}</h2>}
          >
            {(sums) => <WhatIsDue overview={sums} invoices={list.data ?? []} />}
          </Loaded>
        )}
      </div>
    </Tile>
  );
}

const Waiting = () => (
  <AmountBlock
    as="h2"
    label={t('due.title')}
    amount={<Skeleton width="13rem" height="1.15em" />}
    facts={
      <>
        <Skeleton width="14rem" height="1.5rem" />
        <Skeleton width="11rem" height="1.5rem" />
      </>
    }
    actions={<Skeleton width="12rem" height="3rem" />}
  />
);

interface WhatIsDueProps {
  readonly overview: InvoiceOverview;
  /** The latest. */
  readonly invoices: Invoices;
}

function WhatIsDue({ overview, invoices }: WhatIsDueProps) {
  const { settings } = usePortal();
  const [due, ...further] = dueByCurrency(overview);
  if (due === undefined) return <NothingDue overview={overview} />;
  const { currency, overdue, nextDay, count } = due;
  const money = (amount: string) => formatMoney(amount, { currency });
  const label = count === 1 ? settings.invoiceLabelSingular : settings.invoiceLabelPlural;
  return (
    <AmountBlock
      as="h2"
      label={t('due.title')}
      amount={money(due.total)}
      facts={
        <>
          {overdue && (
            <StatusPill tone="danger" icon="alert">
              {overdue.since === null
                ? t('due.overdueNoDay', { amount: money(overdue.amount) })
                : t('due.overdue', { amount: money(overdue.amount), day: formatDay(overdue.since) })}
            </StatusPill>
          )}
          <span>
            {nextDay === null
              ? t('due.count', { count, label })
              : t('due.next', { count, label, day: formatDay(nextDay) })}
          </span>
          <CreditFact currency={currency} />
          {further.length > 0 && <span>{t('due.also', { amounts: amountsOf(further) })}</span>}
        </>
      }
      actions={<PayAction {...{ overview, invoices, due }} />}
    />
  );
}

/** What stands against it: the customer's own money, which the next payment uses first. */
function CreditFact({ currency }: { readonly currency?: string }) {
  const { data = [] } = useQuery(dashboardQueries.credit());
  const credits = data.filter((one) => currency === undefined || one.currency === currency);
  if (credits.length === 0) return null;
  const amounts = credits.map(({ amount, ...of }) => formatMoney(amount, of)).join(', ');
  return (
    <StatusPill tone="neutral" icon="undo">
      {t('due.credit', { amounts })}
    </StatusPill>
  );
}

const amountsOf = (dues: readonly Due[]): string =>
  dues.map(({ total, currency }) => formatMoney(total, { currency })).join(', ');

/** One invoice is paid at once; of several, the person chooses, or begins with the one due first. */
function PayAction({ overview, invoices, due }: WhatIsDueProps & { readonly due: Due }) {
  const portal = usePortal();
  const { brand } = portal;
  const { currency, total } = due;
  if (!takesPayments(portal)) {
    const named = invoices.filter((one) => isDue(one) && one.currency === currency);
    return <HowToPay variant="primary" invoices={named} due={{ amount: total, currency }} />;
  }
  const { first, offersPay: payable } = overview;
  if (first === null || !offersPay(first)) return null;
  if (payable > 1 && brand.endShowInvoices) {
    const own = overview.currencies.find((one) => one.currency === currency);
    return <ChooseLink ids={own?.payableDueIds ?? []} />;
  }
  return (
    <PayButton variant="primary" invoice={first}>
      {t('due.pay', { amount: formatMoney(first.amountDue, { currency: first.currency }) })}
    </PayButton>
  );
}

/** To the list, with all that is due chosen: what is not to be paid now is taken out there. */
function ChooseLink({ ids }: { readonly ids: readonly string[] }) {
  const { customer } = usePortal();
  const choose = () => createSelectionStore(tabStorage(), customer?.customerId ?? '').save(new Set(ids));
  return (
    <Link to="/invoices" className={buttonClass({ variant: 'primary' })} onClick={choose}>
      {t('due.choose')}
    </Link>
  );
}

function NothingDue({ overview: { count, confirming } }: Pick<WhatIsDueProps, 'overview'>) {
  const why =
    count === 0
      ? t('due.noInvoices')
      : confirming > 0
        ? t('due.confirming', { count: confirming })
        : t('due.settled');
  return (
    <div className={styles.nothing}>
      <h2 className={styles.muted}>{t('due.title')}</h2>
      <p className={styles.nothingDue}>
        <Icon name="check" large />
        {t('due.none')}
      </p>
      <p className={styles.muted}>{why}</p>
      <CreditFact />
    </div>
  );
}
