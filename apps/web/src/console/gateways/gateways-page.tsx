import type { GatewayAccountShown } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../../lib/values/moment.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { buttonClass } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useMay } from '../operator.ts';
import { Box, Loaded } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { useRowKeys } from '../parts/use-row-keys.ts';
import { consoleName } from '../shell/messages.ts';
import { GatewayState } from './gateway-state.tsx';
import { t } from './messages.ts';
import { gatewayQueries } from './queries.ts';

const pathOf = ({ id }: GatewayAccountShown): string => `/admin/gateways/${id}`;

const columns: readonly LedgerColumn<GatewayAccountShown>[] = [
  {
    id: 'name',
    label: t('column.name'),
    kind: 'strong',
    cell: (row) => <Link to={pathOf(row) as never}>{row.name}</Link>,
  },
  {
    id: 'state',
    label: t('column.state'),
    kind: 'whole',
    cell: ({ state }) => <GatewayState state={state} />,
  },
  {
    id: 'brands',
    label: t('column.brands'),
    cell: ({ brands }) => brands.map(({ name }) => name).join(', '),
  },
  {
    id: 'verified',
    label: t('column.verified'),
    cell: ({ isVerified, verification }) => (
      <>
        <StatusPill tone={isVerified ? 'success' : 'neutral'} icon={isVerified ? 'check' : 'minus'}>
          {t(isVerified ? 'verified.yes' : 'verified.no')}
        </StatusPill>
        <span className={parts.more}>{verification === 'never' ? '' : verification}</span>
      </>
    ),
  },
  {
    id: 'since',
    label: t('column.since'),
    kind: 'figure',
    cell: ({ createdAt }) => formatMoment(createdAt, 'UTC').day,
  },
];

/** The gateway accounts of the reseller: the one in use, and those before it. */
export default function GatewaysPage() {
  const list = useQuery(gatewayQueries.list());
  const mayChange = useMay('gateways:write');
  const chosen = useRowKeys(list.data ?? [], ({ id }) => id, pathOf);
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t('about')]}
        acts={
          mayChange && (
            <Link to={'/admin/gateways/add' as never} className={buttonClass({ variant: 'primary' })}>
              {t('add')}
            </Link>
          )
        }
      />
      <Loaded query={list} height="12rem">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState level={2} icon="bank" title={t('none')}>
              {t('noneWhy')}
            </EmptyState>
          ) : (
            <Box title={t('title')} hideTitle flush>
              <Ledger
                label={t('title')}
                columns={columns}
                rows={rows}
                rowId={({ id }) => id}
                chosen={chosen?.id}
              />
            </Box>
          )
        }
      </Loaded>
    </>
  );
}
