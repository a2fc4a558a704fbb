import type { ExternalPayment } from '@counterfoil/contract/operator/external-payments.ts';
import { useQuery } from '@tanstack/react-query';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Box } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { t } from './messages.ts';
import { customerQueries } from './queries.ts';

const columns: readonly LedgerColumn<ExternalPayment>[] = [
  { id: 'reference', label: t('outside.reference'), kind: 'strong', cell: ({ reference }) => reference },
  {
    id: 'received',
    label: t('outside.date'),
    kind: 'whole',
    cell: ({ receivedOn }) => formatDay(receivedOn),
  },
  { id: 'method', label: t('outside.method'), cell: ({ method }) => t(`method.${method}`) },
  {
    id: 'status',
    label: t('outside.status'),
    kind: 'whole',
    cell: ({ status }) =>
      status === 'booked' ? (
        <StatusPill tone="success" icon="check">
          {t('outside.recorded')}
        </StatusPill>
      ) : (
        <StatusPill tone="neutral" icon="undo">
          {t('outside.void')}
        </StatusPill>
      ),
  },
  {
    id: 'amount',
    label: t('outside.amount'),
    kind: 'figure',
    cell: ({ amount, currency }) => formatMoney(amount, { currency }),
  },
];

/** Bank transfers, cheques and cash, the newest record first. */
export function PaymentsFromOutside({ customerId }: { readonly customerId: string }) {
  const payments = useQuery(customerQueries.paymentsFromOutside(customerId));
  const rows = payments.data?.data;
  const isEmpty = rows?.length === 0;
  return (
    <Box title={t('outside.title')} flush>
      {rows !== undefined && !isEmpty && (
        <Ledger label={t('outside.title')} columns={columns} rows={rows} rowId={({ id }) => id} />
      )}
      {isEmpty && <EmptyState title={t('outside.none')}>{t('outside.noneWhy')}</EmptyState>}
      {rows === undefined && payments.isError && (
        <SectionError
          requestId={requestIdOf(payments.error)}
          onRetry={() => void payments.refetch()}
          retrying={payments.isFetching}
        />
      )}
      {payments.isPending && (
        <>
          <LoadingNote />
          <Skeleton width="100%" height="6rem" />
        </>
      )}
    </Box>
  );
}
