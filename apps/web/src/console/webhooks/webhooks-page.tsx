import type { WebhookEvent } from '@counterfoil/contract/operator/running/webhook-events.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { buttonClass } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { GatewayName } from '../gateways/gateway-name.tsx';
import { useMay } from '../operator.ts';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { PageTop } from '../parts/page-top.tsx';
import { StateSelect } from '../parts/state-select.tsx';
import { consoleName } from '../shell/messages.ts';
import { aboutWords, EventState } from './event-state.tsx';
import { t } from './messages.ts';
import { type EventFilter, eventQueries } from './queries.ts';

const pathOf = ({ id }: WebhookEvent): string => `/admin/webhooks/${id}`;
const states = ['waiting', 'failing', 'needsReview', 'done'] as const;

const columns: readonly LedgerColumn<WebhookEvent>[] = [
  {
    id: 'what',
    label: t('column.what'),
    kind: 'strong',
    cell: (row) => (
      <Link to={pathOf(row) as never}>
        {[aboutWords(row), row.gatewayId].filter((part) => part !== null).join(' · ')}
      </Link>
    ),
  },
  {
    id: 'gateway',
    label: t('column.gateway'),
    kind: 'whole',
    cell: ({ gateway }) => <GatewayName gateway={gateway} />,
  },
  { id: 'came', label: t('column.came'), cell: ({ outcome, problem }) => outcome ?? problem },
  {
    id: 'at',
    label: t('column.at'),
    kind: 'whole',
    cell: ({ receivedAt }) => dayAndTimeOnly(receivedAt),
  },
  {
    id: 'state',
    label: t('column.state'),
    kind: 'whole',
    cell: ({ state }) => <EventState state={state} />,
  },
];

/** What gateways have told, and what came of it. */
export default function WebhooksPage() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const state = states.find((one) => one === search['state']);
  const filter: EventFilter = state === undefined ? {} : { state };
  const navigate = useNavigate();
  const mayOutgoing = useMay('webhookEndpoints:read');
  const list = useInfiniteQuery(eventQueries.list(filter));
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t('about')]}
        acts={
          <>
            {mayOutgoing && (
              <Link to={'/admin/webhooks/endpoints' as never} className={buttonClass({})}>
                {t('outgoing')}
              </Link>
            )}
            <StateSelect
              label={t('filter.show')}
              value={state}
              states={states}
              words={(one) => (one === undefined ? t('filter.all') : t(`state.${one}`))}
              onChange={(next) =>
                void navigate({
                  to: '/admin/webhooks' as never,
                  search: (next === undefined ? {} : { state: next }) as never,
                  replace: true,
                })
              }
            />
          </>
        }
      />
      <LinkedList
        list={list}
        title={t('title')}
        columns={columns}
        pathOf={pathOf}
        nameOf={aboutWords}
        empty={
          <EmptyState level={2} icon="check" title={t('none')}>
            {t(state === undefined ? 'noneWhy' : 'none.narrowed')}
          </EmptyState>
        }
      />
    </>
  );
}
