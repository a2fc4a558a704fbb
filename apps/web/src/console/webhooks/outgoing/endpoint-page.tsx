import type {
  EndpointMade,
  WebhookEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { WithState } from '../../../lib/api/console-api.ts';
import { reportFailure } from '../../../lib/error-banner.ts';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.tsx';
import { formatNumber } from '../../../text/format.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { useTitle } from '../../../ui/layout/title.ts';
import { Outcome } from '../../../ui/overlays/outcome.tsx';
import { useMay } from '../../operator.ts';
import { type Fact, Facts } from '../../parts/facts.tsx';
import type { LedgerColumn } from '../../parts/ledger.tsx';
import { LinkedList } from '../../parts/linked-list.tsx';
import { dayAndTime, dayAndTimeOnly } from '../../parts/moments.ts';
import { OnceDialog } from '../../parts/once-dialog.tsx';
import { OnePage } from '../../parts/one-page.tsx';
import { PageTop } from '../../parts/page-top.tsx';
import parts from '../../parts/parts.module.css';
import { StateSelect } from '../../parts/state-select.tsx';
import { consoleName } from '../../shell/messages.ts';
import { EndpointDialog, RotateSecretDialog } from './endpoint-dialog.tsx';
import { t } from './messages.ts';
import {
  changeEndpoint,
  type DeliveryFilter,
  type ListedDelivery,
  outgoingQueries,
  redeliverAll,
  removeEndpoint,
  testEndpoint,
} from './queries.ts';
import { DeliveryStatePill, EndpointStatePill, typesWords } from './states.tsx';

const LIST = '/admin/webhooks/endpoints';
const SHOWN_TYPES = 20;

/** One endpoint: whether it works, what was sent to it, and what can be done about it. */
export default function EndpointPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const endpoint = useQuery(outgoingQueries.one(id));
  useTitle(t('title'), consoleName);
  return (
    <OnePage query={endpoint} list={{ to: LIST, label: t('title') }}>
      {(read) => <Endpoint key={id} read={read} />}
    </OnePage>
  );
}

type Asked = 'edit' | 'rotate' | 'disable' | 'remove';
interface Told {
  readonly tone: 'success' | 'danger';
  readonly words: string;
}

function Endpoint({ read }: { readonly read: WithState<WebhookEndpoint> }) {
  const { data: endpoint, state: readState } = read;
  const { id, state } = endpoint;
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayChange = useMay('webhookEndpoints:write');
  const [asked, setAsked] = useState<Asked>();
  const [busy, setBusy] = useState<string>();
  const [told, setTold] = useState<Told>();
  const [made, setMade] = useState<EndpointMade>();
  const close = () => setAsked(undefined);
  const finish = async (words?: string, tone: Told['tone'] = 'success') => {
    await client.invalidateQueries({ queryKey: ['endpoints'] });
    await client.invalidateQueries({ queryKey: ['today'] });
    close();
    setTold(words === undefined ? undefined : { tone, words });
  };
  const act = (name: string, work: () => Promise<void>) => async () => {
    setBusy(name);
    try {
      await work();
    } catch (error) {
      reportFailure(error);
      await client.invalidateQueries({ queryKey: ['endpoints', id] });
    } finally {
      setBusy(undefined);
    }
  };
  const become = (next: WebhookEndpoint['state'], words: string) => async () => {
    await changeEndpoint(id, { state: next }, readState);
    await finish(words);
  };
  const test = act('test', async () => {
    const { state: came, status, problem } = await testEndpoint(id);
    await (came === 'delivered'
      ? finish(t('test.done', { status: String(status) }))
      : finish(t('test.failed', { problem: problem ?? '' }), 'danger'));
  });
  const again = act('again', async () => finish(t('again.done', { n: (await redeliverAll(id)).count })));
  const isOn = state === 'enabled';
  const turn = act('turn', isOn ? become('paused', t('pause.done')) : become('enabled', t('enable.done')));
  return (
    <>
      <PageTop
        title={new URL(endpoint.url).host}
        facts={[endpoint.url, <EndpointStatePill key="state" endpoint={endpoint} />]}
        acts={
          mayChange && (
            <>
              {isOn && (
                <Button busy={busy === 'test'} busyLabel={t('test.busy')} onClick={() => void test()}>
                  {t('test')}
                </Button>
              )}
              <Button
                variant={isOn ? 'secondary' : 'primary'}
                busy={busy === 'turn'}
                busyLabel={t('busy')}
                onClick={() => void turn()}
              >
                {t(isOn ? 'pause' : 'enable')}
              </Button>
              <Button onClick={() => setAsked('edit')}>{t('edit')}</Button>
              <Button onClick={() => setAsked('rotate')}>{t('rotate')}</Button>
              {state !== 'disabled' && <Button onClick={() => setAsked('disable')}>{t('disable')}</Button>}
              <Button danger onClick={() => setAsked('remove')}>
                {t('remove')}
              </Button>
            </>
          )
        }
      />
      {told !== undefined && (
        <Outcome key={told.words} tone={told.tone} onClose={() => setTold(undefined)}>
          {told.words}
        </Outcome>
      )}
      <Facts title={t('facts.title')} facts={factsOf(endpoint)} />
      <Deliveries
        id={id}
        act={
          mayChange &&
          endpoint.givenUp > 0 &&
          state !== 'disabled' && (
            <Button busy={busy === 'again'} busyLabel={t('test.busy')} onClick={() => void again()}>
              {t('again.all')}
            </Button>
          )
        }
      />
      {asked === 'edit' && (
        <EndpointDialog endpoint={read} onClose={close} onSaved={() => finish(t('edit.done'))} />
      )}
      {asked === 'rotate' && (
        <RotateSecretDialog
          id={id}
          onClose={close}
          onMade={async (one) => {
            setMade(one);
            await finish();
          }}
        />
      )}
      {asked === 'disable' && (
        <ConfirmDialog
          title={t('disable.title')}
          act={t('disable')}
          busyAct={t('busy')}
          onClose={close}
          onConfirm={become('disabled', t('disable.done'))}
        >
          {t('disable.text')}
        </ConfirmDialog>
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title={t('remove.title')}
          act={t('remove')}
          busyAct={t('remove.busy')}
          onClose={close}
          onConfirm={async () => {
            await removeEndpoint(id);
            await navigate({ to: LIST as never });
            client.removeQueries({ queryKey: ['endpoints', id] });
          }}
        >
          {t('remove.text')}
        </ConfirmDialog>
      )}
      {made !== undefined && (
        <OnceDialog
          title={t('secret.title')}
          text={t('secret.text')}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function factsOf(endpoint: WebhookEndpoint): readonly Fact[] {
  const {
    description,
    lastDeliveredAt,
    failingSince,
    failures,
    lastProblem,
    stateReason,
    previousSecretUntil,
  } = endpoint;
  const some: readonly (Fact | false)[] = [
    description !== '' && [t('facts.description'), description],
    [t('facts.types'), typesWords(endpoint, SHOWN_TYPES)],
    [t('facts.delivered'), lastDeliveredAt === null ? t('never') : dayAndTime(lastDeliveredAt)],
    stateReason !== null && [t('facts.reason'), stateReason],
    failingSince !== null && [
      t('facts.failing'),
      t('facts.times', { at: dayAndTime(failingSince), n: failures }),
    ],
    lastProblem !== null && [t('facts.problem'), lastProblem],
    previousSecretUntil !== null && [t('facts.previous'), dayAndTime(previousSecretUntil)],
  ];
  return some.filter((fact) => fact !== false);
}

const states = ['waiting', 'delivered', 'givenUp'] as const;

function Deliveries({ id, act }: { readonly id: string; readonly act: React.ReactNode }) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const state = states.find((one) => one === search['state']);
  const filter: DeliveryFilter = state === undefined ? {} : { state };
  const list = useInfiniteQuery(outgoingQueries.deliveries(id, filter));
  const pathOf = (row: ListedDelivery) => `${LIST}/${id}/${row.messageId}`;
  return (
    <>
      <div className={parts.acts}>
        <StateSelect
          label={t('filter.show')}
          value={state}
          states={states}
          words={(one) => (one === undefined ? t('filter.all') : t(`delivery.${one}`))}
          onChange={(next) =>
            void navigate({
              to: `${LIST}/${id}` as never,
              search: (next === undefined ? {} : { state: next }) as never,
              replace: true,
            })
          }
        />
        {act}
      </div>
      <LinkedList
        list={list}
        title={t('deliveries.title')}
        columns={columnsOf(pathOf)}
        pathOf={pathOf}
        nameOf={({ type }) => type}
        empty={
          <EmptyState level={2} icon="check" title={t('deliveries.none')}>
            {t('deliveries.noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}

const columnsOf = (pathOf: (row: ListedDelivery) => string): readonly LedgerColumn<ListedDelivery>[] => [
  {
    id: 'type',
    label: t('column.type'),
    kind: 'strong',
    cell: (row) => <Link to={pathOf(row) as never}>{row.type}</Link>,
  },
  {
    id: 'at',
    label: t('column.at'),
    kind: 'whole',
    cell: ({ happenedAt }) => dayAndTimeOnly(happenedAt),
  },
  { id: 'answer', label: t('column.answer'), cell: ({ status, problem }) => problem ?? status },
  { id: 'tries', label: t('column.tries'), kind: 'count', cell: ({ tries }) => formatNumber(tries) },
  {
    id: 'state',
    label: t('column.state'),
    kind: 'whole',
    cell: ({ state }) => <DeliveryStatePill state={state} />,
  },
];
