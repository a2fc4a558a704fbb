import type {
  EndpointMade,
  WebhookEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../../text/format.ts';
import { Button, buttonClass } from '../../../ui/fields/button.tsx';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { useTitle } from '../../../ui/layout/title.ts';
import { useMay } from '../../operator.ts';
import { Box, Loaded } from '../../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../../parts/ledger.tsx';
import { dayAndTimeOnly } from '../../parts/moments.ts';
import { OnceDialog } from '../../parts/once-dialog.tsx';
import { PageTop } from '../../parts/page-top.tsx';
import parts from '../../parts/parts.module.css';
import { useRowKeys } from '../../parts/use-row-keys.ts';
import { consoleName } from '../../shell/messages.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { t } from './messages.ts';
import { outgoingQueries } from './queries.ts';
import { EndpointStatePill, typesWords } from './states.tsx';

const pathOf = ({ id }: Pick<WebhookEndpoint, 'id'>): string => `/admin/webhooks/endpoints/${id}`;
const idOf = ({ id }: WebhookEndpoint): string => id;

const columns: readonly LedgerColumn<WebhookEndpoint>[] = [
  {
    id: 'url',
    label: t('column.url'),
    kind: 'strong',
    cell: (row) => (
      <>
        <Link to={pathOf(row) as never}>{row.url}</Link>
        <span className={parts.more}>{row.description}</span>
      </>
    ),
  },
  { id: 'types', label: t('column.types'), cell: (row) => typesWords(row) },
  { id: 'waiting', label: t('column.waiting'), kind: 'count', cell: ({ waiting }) => formatNumber(waiting) },
  { id: 'givenUp', label: t('column.givenUp'), kind: 'count', cell: ({ givenUp }) => formatNumber(givenUp) },
  {
    id: 'delivered',
    label: t('column.delivered'),
    kind: 'whole',
    cell: ({ lastDeliveredAt: at }) => (at === null ? t('never') : dayAndTimeOnly(at)),
  },
  {
    id: 'state',
    label: t('column.state'),
    kind: 'whole',
    cell: (row) => <EndpointStatePill endpoint={row} />,
  },
];

const none: readonly WebhookEndpoint[] = [];

/** Programs of the provider that are told of what happens. */
export default function EndpointsPage() {
  const list = useQuery(outgoingQueries.all());
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayChange = useMay('webhookEndpoints:write');
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<EndpointMade>();
  const chosen = useRowKeys(list.data ?? none, idOf, pathOf);
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t('about')]}
        acts={
          <>
            <Link to={'/admin/webhooks' as never} className={buttonClass({})}>
              {t('incoming')}
            </Link>
            {mayChange && (
              <Button variant="primary" onClick={() => setAdding(true)}>
                {t('add')}
              </Button>
            )}
          </>
        }
      />
      <Loaded query={list} height="12rem">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState level={2} icon="check" title={t('none')}>
              {t('noneWhy')}
            </EmptyState>
          ) : (
            <Box title={t('title')} hideTitle flush>
              <Ledger
                label={t('title')}
                columns={columns}
                rows={rows}
                rowId={idOf}
                chosen={chosen && idOf(chosen)}
              />
            </Box>
          )
        }
      </Loaded>
      {isAdding && (
        <EndpointDialog
          onClose={() => setAdding(false)}
          onMade={async (endpoint) => {
            await client.invalidateQueries({ queryKey: ['endpoints'] });
            setAdding(false);
            setMade(endpoint);
          }}
        />
      )}
      {made !== undefined && (
        <OnceDialog
          title={t('secret.title')}
          text={t('secret.text')}
          secret={made.secret}
          onClose={() => void navigate({ to: pathOf(made) as never })}
        />
      )}
    </>
  );
}
