import type { ExternalPayment } from '@counterfoil/contract/operator/paying/external-payments.ts';
import { useQuery } from '@tanstack/react-query';
import { formatDay, formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
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
  return (
    <Box title={t('outside.title')} flush>
      <Loaded query={payments}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{t('outside.none')}</Nothing>
          ) : (
            <Ledger label={t('outside.title')} columns={columns} rows={data} rowId={({ id }) => id} />
          )
        }
      </Loaded>
    </Box>
  );
}
