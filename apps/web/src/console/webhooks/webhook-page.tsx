import type { WebhookEvent } from '@counterfoil/contract/operator/running/webhook-events.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { Button } from '../../ui/fields/button.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { GatewayName } from '../gateways/gateway-name.tsx';
import { useMay } from '../operator.ts';
import { Box } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { Facts } from '../parts/facts.tsx';
import { dayAndTime } from '../parts/moments.ts';
import { NoteDialog } from '../parts/note-dialog.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { aboutWords, EventState } from './event-state.tsx';
import { t } from './messages.ts';
import { dismiss, eventQueries, retry } from './queries.ts';

/** One event of a gateway: when it came, what came of it, and following it up again. */
export default function WebhookPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const event = useQuery(eventQueries.one(id));
  useTitle(t('title'), consoleName);
  return (
    <OnePage query={event} list={{ to: '/admin/webhooks', label: t('title') }}>
      {(data) => <EventOfGateway key={id} event={data} />}
    </OnePage>
  );
}

function EventOfGateway({ event }: { readonly event: WebhookEvent }) {
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<string>();
  const mayChange = useMay('webhooks:write') && event.state !== 'done';
  const finish = async (words: string) => {
    await client.invalidateQueries({ queryKey: ['event', event.id] });
    await client.invalidateQueries({ queryKey: ['today'] });
    setAsked(false);
    setDone(words);
  };
  const again = async () => {
    setBusy(true);
    try {
      await retry(event.id);
      await finish(t('retry.done'));
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <PageTop
        title={aboutWords(event)}
        facts={[
          <GatewayName key="gateway" gateway={event.gateway} />,
          dayAndTime(event.receivedAt),
          <EventState key="state" state={event.state} />,
        ]}
        acts={
          mayChange && (
            <>
              {event.canRetry && (
                <Button busy={isBusy} busyLabel={t('retry.busy')} onClick={() => void again()}>
                  {t('retry')}
                </Button>
              )}
              <Button onClick={() => setAsked(true)}>{t('dismiss')}</Button>
            </>
          )
        }
      />
      {mayChange && !event.canRetry && <p className={parts.muted}>{t('retry.gone')}</p>}
      <Done words={done} onClose={() => setDone(undefined)} />
      <Story event={event} />
      <FactsOf event={event} />
      {isAsked && (
        <NoteDialog
          title={t('dismiss.title')}
          text={t('dismiss.text')}
          label={t('dismiss.note')}
          act={t('dismiss.act')}
          busyAct={t('dismiss.busy')}
          onClose={() => setAsked(false)}
          onSubmit={async (note) => {
            await dismiss(event.id, note);
            await finish(t('dismiss.done'));
          }}
        />
      )}
    </>
  );
}

type Step = readonly [at: string | null, what: string, more: string | null];

function stepsOf({ state, receivedAt, endedAt, nextTryAt, outcome, problem }: WebhookEvent): readonly Step[] {
  const steps: Step[] = [[receivedAt, t('story.came'), null]];
  if (state === 'failing') steps.push([null, t('story.problem'), problem]);
  if (nextTryAt !== null) steps.push([nextTryAt, t('story.next'), null]);
  if (endedAt !== null)
    steps.push(
      state === 'needsReview' ? [endedAt, t('story.gaveUp'), problem] : [endedAt, t('story.done'), outcome],
    );
  return steps;
}

/** What is known of it, in the order of time. */
const Story = ({ event }: { readonly event: WebhookEvent }) => (
  <Box title={t('story.title')} flush>
    <ol className={parts.history}>
      {stepsOf(event).map(([at, what, more]) => (
        <li key={what}>
          {at === null ? <span /> : <time dateTime={at}>{dayAndTime(at)}</time>}
          <div>
            {what}
            {more !== null && <span className={parts.more}>{more}</span>}
          </div>
        </li>
      ))}
    </ol>
  </Box>
);

function FactsOf({ event }: { readonly event: WebhookEvent }) {
  const { gateway, eventId, gatewayId, paymentId, isSigned, tries } = event;
  const sender = isSigned === null ? 'facts.unknown' : isSigned ? 'facts.signed' : 'facts.hint';
  const facts: readonly (readonly [Parameters<typeof t>[0], ReactNode])[] = [
    ['facts.gateway', <GatewayName key="gateway" gateway={gateway} />],
    ['facts.eventId', eventId],
    ...(gatewayId === null ? [] : ([['facts.gatewayId', gatewayId]] as const)),
    ...(paymentId === null
      ? []
      : ([
          [
            'facts.payment',
            <Link key="payment" to={`/admin/payments/${paymentId}` as never}>
              {t('facts.openPayment')}
            </Link>,
          ],
        ] as const)),
    ['facts.sender', t(sender)],
    ['facts.tries', t('facts.times', { n: tries })],
  ];
  return <Facts title={t('facts.title')} facts={facts.map(([term, value]) => [t(term), value])} />;
}
