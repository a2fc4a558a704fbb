import type { WebhookDeliveryDetail } from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { reportFailure } from '../../../lib/error-banner.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { useTitle } from '../../../ui/layout/title.ts';
import { useMay } from '../../operator.ts';
import { Box } from '../../parts/box.tsx';
import { Done } from '../../parts/done.tsx';
import { dayAndTime } from '../../parts/moments.ts';
import { OnePage } from '../../parts/one-page.tsx';
import { PageTop } from '../../parts/page-top.tsx';
import parts from '../../parts/parts.module.css';
import { consoleName } from '../../shell/messages.ts';
import { t } from './messages.ts';
import styles from './outgoing.module.css';
import { outgoingQueries, redeliver } from './queries.ts';
import { DeliveryStatePill } from './states.tsx';

/** One message to an endpoint: what is sent, and what each try was answered. */
export default function DeliveryPage() {
  const { id = '', messageId = '' } = useParams({ strict: false }) as {
    readonly id?: string;
    readonly messageId?: string;
  };
  const delivery = useQuery(outgoingQueries.delivery(id, messageId));
  useTitle(t('title'), consoleName);
  return (
    <OnePage query={delivery} list={{ to: `/admin/webhooks/endpoints/${id}`, label: t('title') }}>
      {(data) => <Delivery key={messageId} endpointId={id} delivery={data} />}
    </OnePage>
  );
}

interface DeliveryProps {
  readonly endpointId: string;
  readonly delivery: WebhookDeliveryDetail;
}

function Delivery({ endpointId, delivery }: DeliveryProps) {
  const { messageId, type, happenedAt, state, nextTryAt } = delivery;
  const client = useQueryClient();
  const mayChange = useMay('webhookEndpoints:write');
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<string>();
  const again = async () => {
    setBusy(true);
    try {
      await redeliver(endpointId, messageId);
      await client.invalidateQueries({ queryKey: ['endpoints', endpointId] });
      setDone(t('again.one'));
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <PageTop
        title={type}
        facts={[
          dayAndTime(happenedAt),
          <DeliveryStatePill key="state" state={state} />,
          ...(nextTryAt === null ? [] : [`${t('next')}: ${dayAndTime(nextTryAt)}`]),
        ]}
        acts={
          mayChange && (
            <Button busy={isBusy} busyLabel={t('test.busy')} onClick={() => void again()}>
              {t('again')}
            </Button>
          )
        }
      />
      <Done words={done} onClose={() => setDone(undefined)} />
      <Tries attempts={delivery.attempts} />
      <Box title={t('body.title')}>
        <pre className={styles.body}>{JSON.stringify(JSON.parse(delivery.body), undefined, 2)}</pre>
      </Box>
    </>
  );
}

/** What was wrong, unless it is the status alone, which stands above it. */
const why = (status: number | null, problem: string | null): readonly string[] =>
  problem === null || (status !== null && problem.endsWith(` ${status}`)) ? [] : [problem];

/** Each try, the newest first. */
const Tries = ({ attempts }: Pick<WebhookDeliveryDetail, 'attempts'>) => (
  <Box title={t('tries.title')} flush={attempts.length > 0}>
    {attempts.length === 0 ? (
      <p className={parts.muted}>{t('tries.none')}</p>
    ) : (
      <ol className={parts.history} reversed>
        {attempts.map(({ number, at, tookMs, status, problem, answer }) => (
          <li key={number}>
            <time dateTime={at}>{dayAndTime(at)}</time>
            <div>
              {status === null ? t('try.none') : t('try.status', { status: String(status) })}
              <span className={parts.more}>
                {[...why(status, problem), t('try.took', { ms: String(tookMs) })].join(' · ')}
              </span>
              {answer !== null && answer !== '' && <code className={styles.answer}>{answer}</code>}
            </div>
          </li>
        ))}
      </ol>
    )}
  </Box>
);
