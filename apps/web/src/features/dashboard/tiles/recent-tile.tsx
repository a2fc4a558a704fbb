import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { formatDecimal, parseMoney, subtractMoney } from '@counterfoil/domain/money/money.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { usePortal } from '../../../lib/portal/portal-context.ts';
import { formatDay, formatMoney } from '../../../text/format.ts';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { Tile } from '../../../ui/layout/tile.tsx';
import styles from '../dashboard.module.css';
import { groupInvoices, type InvoiceGroup, isBill } from '../invoice-groups.ts';
import { InvoiceLink } from '../invoice-link.tsx';
import { Loaded } from '../loaded.tsx';
import { t } from '../messages.ts';
import { PdfAction } from '../pdf-action.tsx';

/** The latest and the two before it (specification, portal §9). */
const PREVIOUS = 2;

/** The latest invoice with its PDF, and the two previous ones. */
export function RecentTile({ list }: { readonly list: UseQueryResult<readonly Invoice[]> }) {
  const { settings } = usePortal();
  return (
    <Tile title={t('recent.title', { label: settings.invoiceLabelSingular })} span={5}>
      <Loaded query={list} waiting={<Waiting />}>
        {(invoices) => <Recent bills={groupInvoices(invoices).filter(isBill)} />}
      </Loaded>
    </Tile>
  );
}

const Waiting = () => (
  <div className={styles.recent}>
    <Skeleton width="9rem" />
    <Skeleton width="8rem" height="1.5rem" />
    <Skeleton width="100%" height="3rem" />
    <Skeleton width="100%" height="3rem" />
  </div>
);

function Recent({ bills: [latest, ...earlier] }: { readonly bills: readonly InvoiceGroup[] }) {
  if (latest === undefined) return <EmptyState title={t('recent.empty')}>{t('recent.emptyWhy')}</EmptyState>;
  const { newest } = latest;
  const change = changeSince(latest, earlier[0]);
  return (
    <div className={styles.recent}>
      <div className={styles.latest}>
        <div>
          <p className={styles.small}>
            <InvoiceLink invoice={newest} /> <span aria-hidden="true">·</span>{' '}
            <time dateTime={newest.dateInvoice}>{formatDay(newest.dateInvoice)}</time>
          </p>
          <p className={styles.figure}>{formatMoney(latest.amount, { currency: newest.currency })}</p>
          <p className={styles.small}>
            {newest.dateDue !== null && t('recent.due', { day: formatDay(newest.dateDue) })}
            {newest.dateDue !== null && change !== '' && ' · '}
            {change}
          </p>
        </div>
        <PdfAction invoice={newest} look="word" />
      </div>
      <ul>
        {earlier.slice(0, PREVIOUS).map(({ newest: one, amount }) => (
          <li key={one.id} className={styles.item}>
            <span className={styles.itemName}>
              <InvoiceLink invoice={one} />
              <time className={styles.small} dateTime={one.dateInvoice}>
                {formatDay(one.dateInvoice)}
              </time>
            </span>
            <span className={styles.number}>{formatMoney(amount, { currency: one.currency })}</span>
            <PdfAction invoice={one} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How much more or less than the one before; nothing where there is none, or in another currency. */
export function changeSince(latest: InvoiceGroup, before: InvoiceGroup | undefined): string {
  const { currency } = latest.newest;
  if (before === undefined || before.newest.currency !== currency) return '';
  const change = subtractMoney(parseMoney(latest.amount, currency), parseMoney(before.amount, currency));
  const amount = formatMoney(formatDecimal(change).replace('-', ''), { currency });
  if (change.minor === 0n) return t('recent.same');
  return t(change.minor > 0n ? 'recent.more' : 'recent.less', { amount });
}
