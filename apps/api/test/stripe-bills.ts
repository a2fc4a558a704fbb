import type { AddressInfo } from 'node:net';
import type { PayAnswer } from '@counterfoil/contract/public-pay.ts';
import { expect } from 'vitest';
import type { FaultRun } from './fault-runs.ts';
import type { SandboxFixture } from './sandbox-fixture.ts';

export const VISA = ['4242', '4242', '4242', '4242'].join('');
const CHALLENGED = ['4000', '0027', '6000', '3184'].join('');
export const SECRET = 'whsec_faults';

type Intent = Readonly<{
  id: string;
  status: string;
  metadata: Record<string, string>;
  client_secret: string;
}>;
interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: Intent };
}

/** Invoices with their pay links, and what Stripe and the books say of each. */
export function stripeBills(sandbox: SandboxFixture, run: FaultRun) {
  /** What the provider's own account shows, newest first. */
  async function atStripe<T>(path: string): Promise<T[]> {
    const url = [...sandbox.fixture.deps.config.gatewayUrls.values()][0] ?? '';
    const answer = await fetch(`${url}/v1/${path}`, { headers: { authorization: 'Bearer sk_test_faults' } });
    return ((await answer.json()) as { data: T[] }).data;
  }
  const fault = (operation: string, mode: string, more: object = {}) =>
    sandbox.control('POST', 'faults', { gateway: 'stripe', operation, mode, ...more });

  /** The holder's word on the bank's page. @returns the query the browser comes back with */
  async function atTheBank(to: string): Promise<URLSearchParams> {
    const body = new URLSearchParams({ outcome: 'complete' });
    const answer = await fetch(to, { method: 'POST', redirect: 'manual', body });
    return new URL(answer.headers.get('location') ?? to).searchParams;
  }

  /** While `work` runs, Stripe tells nothing by itself. */
  async function untold<T>(work: () => Promise<T>): Promise<T> {
    await sandbox.webhooksDelivered();
    await sandbox.control('DELETE', 'webhooks');
    try {
      return await work();
    } finally {
      await sandbox.control('POST', 'webhooks', { gateway: 'stripe', url: hookUrl(), secret: SECRET });
    }
  }
  const hookPath = () => `/v1/webhooks/stripe/${sandbox.customer.resellerId}`;
  const hookUrl = () =>
    `http://127.0.0.1:${(sandbox.fixture.app.server.address() as AddressInfo).port}${hookPath()}`;

  /** An invoice with its pay link. */
  async function bill(
    over: { currency?: string; subtotalMinor?: bigint; taxMinor?: bigint } = {},
    amount = '110.00',
  ) {
    const { fixture } = sandbox;
    const invoice = await fixture.seedPayable(sandbox.customer, over);
    const post = async (url: string, payload: object) => {
      const answer = await fixture.app.inject({ method: 'POST', url, payload });
      return { code: answer.statusCode, data: answer.json().data as PayAnswer };
    };
    const pay = async (number: string) => {
      const body = { uid: invoice.token, invoiceAmount: amount, invoiceNumber: invoice.number };
      return (await post('/v1/ec/pay', { ...body, cardToken: await sandbox.cardToken(number) })).data;
    };
    const attempts = () =>
      run.rows<{ id: string; ref: string; state: string }>(
        `select a.id, a.ref, a.state from attempt a join claim l on l.customer_id = a.customer_id and l.attempt_id = a.id
          where l.invoice_id = $1 order by a.id`,
        [invoice.id],
      );
    const mine = async () => new Set((await attempts()).map(({ ref }) => ref));
    return {
      invoice,
      pay,
      attempts,
      confirm: async (reqUid: string | undefined, more: object = {}) =>
        post('/v1/ec/payments/confirmation/result', { uid: invoice.token, reqUid, ...more }),
      /** Pays by a card whose bank asks; again while the answer of this hurried fixture came too late. */
      challenged: async () => {
        let asked = await pay(CHALLENGED);
        for (let tries = 0; tries < 10 && asked.status === 'processing'; tries += 1) {
          await run.untilEnded();
          asked = await pay(CHALLENGED);
        }
        expect(asked).toMatchObject({ status: 'requires_action' });
        return { attempt: asked.attemptId, to: asked.redirectToUrl ?? '' };
      },
      taken: async () => {
        const refs = await mine();
        return (await sandbox.charges())
          .filter(({ reference }) => refs.has(reference ?? ''))
          .map(({ minor }) => minor);
      },
      /** The payments of this invoice at Stripe, newest first. */
      intents: async () => {
        const refs = await mine();
        const all = await atStripe<Intent>('payment_intents?limit=100');
        return all.filter(({ metadata }) => refs.has(metadata['attemptId'] ?? ''));
      },
      events: async () => {
        const refs = await mine();
        const all = await atStripe<Event>('events?limit=100');
        return all.filter(({ data }) => refs.has(data.object.metadata?.['attemptId'] ?? ''));
      },
      books: async () => {
        const [row] = await run.rows<{ due: number; captures: number }>(
          `select i.due_minor::int as due, count(c.*)::int as captures
             from invoice i left join claim l on l.customer_id = i.customer_id and l.invoice_id = i.id
             left join capture c on c.customer_id = l.customer_id and c.attempt_id = l.attempt_id
            where i.id = $1 group by i.customer_id, i.id`,
          [invoice.id],
        );
        return row;
      },
    };
  }

  return { bill, untold, atTheBank, fault, hookPath };
}
