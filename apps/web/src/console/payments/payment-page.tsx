import type { AdminPaymentStory } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { formatMoney } from '../../text/format.ts';
import { Button } from '../../ui/fields/button.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { GatewayName } from '../gateways/gateway-name.tsx';
import { useMay } from '../operator.ts';
import { Box } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { Facts } from '../parts/facts.tsx';
import { KeyOf } from '../parts/key.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { useKeys } from '../shell/use-keys.ts';
import { t } from './messages.ts';
import { PaymentState } from './payment-state.tsx';
import { lookUp, paymentQueries } from './queries.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { leftToRefund } from './refundable.ts';
import { ResolveDialog } from './resolve-dialog.tsx';
import { Story } from './story.tsx';

/** One payment: how it stands, what became of it, and what can be done. */
export default function PaymentPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const payment = useQuery(paymentQueries.one(id));
  useTitle(t('title'), consoleName);
  return (
    <OnePage query={payment} list={{ to: '/admin/payments', label: t('title') }}>
      {(data) => <Payment key={id} payment={data} />}
    </OnePage>
  );
}

function Payment({ payment }: { readonly payment: AdminPaymentStory }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'refund' | 'resolve'>();
  const [done, setDone] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const mayChange = useMay('payments:write');
  const { id, amount, currency, direction, state, reference, sentAt, customer, customerId } = payment;
  const left = mayChange ? leftToRefund(payment) : null;
  const mayResolve = mayChange && ['needsReview', 'unknown'].includes(state);
  const finish = async (words: string) => {
    await client.invalidateQueries({ queryKey: ['payment', id] });
    setAsked(undefined);
    setDone(words);
  };
  const ask = async () => {
    if (isAsking) return;
    setAsking(true);
    try {
      const now = await lookUp(id);
      await finish(t('lookUp.done', { state: t(`state.${now.state}`) }));
    } catch (error) {
      reportFailure(error);
    } finally {
      setAsking(false);
    }
  };
  useKeys({
    l: mayChange ? () => void ask() : undefined,
    r: left === null ? undefined : () => setAsked('refund'),
  });
  const { day, time } = formatMoment(sentAt, 'UTC');
  return (
    <>
      <PageTop
        title={t('one.title', {
          direction: t(`direction.${direction}`),
          amount: formatMoney(amount, { currency }),
        })}
        facts={[
          <Link key="customer" to={`/admin/customers/${customerId}` as never} dir="auto">
            {customer}
          </Link>,
          t('one.reference', { reference }),
          `${day} ${time}`,
          <PaymentState key="state" state={state} />,
        ]}
        acts={
          mayChange && (
            <>
              <Button
                aria-keyshortcuts="l"
                busy={isAsking}
                busyLabel={t('lookUp.busy')}
                onClick={() => void ask()}
              >
                {t('lookUp')} <KeyOf>L</KeyOf>
              </Button>
              {mayResolve && <Button onClick={() => setAsked('resolve')}>{t('resolve')}</Button>}
              {left !== null && (
                <Button aria-keyshortcuts="r" onClick={() => setAsked('refund')}>
                  {t('refund')} <KeyOf>R</KeyOf>
                </Button>
              )}
            </>
          )
        }
      />
      <Done words={done} onClose={() => setDone(undefined)} />
      <div className={parts.split}>
        <Box title={t('story.title')}>
          <Story entries={payment.story} currency={currency} />
        </Box>
        <div className={parts.stack}>
          <Amounts payment={payment} />
          <FactsOf payment={payment} />
        </div>
      </div>
      {asked === 'refund' && left !== null && (
        <RefundDialog
          payment={payment}
          left={left}
          onClose={() => setAsked(undefined)}
          onDone={(made) =>
            finish(
              t('refund.done', {
                amount: formatMoney(made.amount, { currency }),
                state: t(`state.${made.state}`),
              }),
            )
          }
        />
      )}
      {asked === 'resolve' && (
        <ResolveDialog
          payment={payment}
          onClose={() => setAsked(undefined)}
          onDone={(resolved) => finish(t('resolve.done', { state: t(`state.${resolved.state}`) }))}
        />
      )}
    </>
  );
}

function Amounts({ payment: { amount, fee, currency, capture } }: { readonly payment: AdminPaymentStory }) {
  const rows = [
    ['amounts.asked', amount],
    ['amounts.fee', fee],
    ...(capture === null
      ? []
      : ([
          ['amounts.captured', capture.amount],
          ['amounts.refunded', capture.refunded],
          ...(Number(capture.feeRefunded) === 0
            ? []
            : ([['amounts.feeRefunded', capture.feeRefunded]] as const)),
          ['amounts.lost', capture.lost],
        ] as const)),
  ] as const;
  return (
    <Box title={t('amounts.title')}>
      <dl className={parts.sums}>
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{t(term)}</dt>
            <dd>{formatMoney(value, { currency })}</dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}

function FactsOf({ payment }: { readonly payment: AdminPaymentStory }) {
  const { customer, customerId, method, gateway, gatewayId, of, invoices, agreement } = payment;
  const facts: readonly (readonly [Parameters<typeof t>[0], ReactNode])[] = [
    [
      'facts.customer',
      <Link key="customer" to={`/admin/customers/${customerId}` as never} dir="auto">
        {customer}
      </Link>,
    ],
    ['facts.method', method ?? t('facts.unknown')],
    ['facts.gateway', <GatewayName key="gateway" gateway={gateway} />],
    ['facts.gatewayId', gatewayId ?? t('facts.unknown')],
    ...(of === null ? [] : ([['facts.of', of]] as const)),
    ['facts.invoices', invoices.length === 0 ? t('facts.none') : invoices.join(', ')],
    ...(agreement === null ? [] : ([['facts.agreement', `${agreement.by}: ${agreement.text}`]] as const)),
  ];
  return <Facts title={t('facts.title')} facts={facts.map(([term, value]) => [t(term), value])} />;
}
