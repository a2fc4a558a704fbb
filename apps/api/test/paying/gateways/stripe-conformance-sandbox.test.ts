import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';
import { SECRET, stripeBills, VISA } from '../../fixtures/paying/stripe-bills.ts';
import { faultRun } from '../../processes/fault-runs.ts';

/**
 * The conformance cases of Stripe that only the whole product can show: over HTTP, through the real adapter, against
 * the sandbox as a process of its own. Numbers in titles are those of packages/gateways/src/stripe/cases-data.ts.
 */
const sandbox = useSandboxFixture();
const run = faultRun(sandbox);
const { bill, untold, atTheBank, fault, hookPath } = stripeBills(sandbox, run);

interface Note {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly idempotencyKey?: string;
}

afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
  await run.untilEnded();
  await sandbox.webhooksDelivered();
  await run.judge();
});

describe('coming back from the bank', () => {
  it('19: a wrong client secret is refused, the right one says what Stripe says', async () => {
    const one = await bill();
    const { attempt, to } = await one.challenged();
    await untold(async () => {
      const back = await atTheBank(to);
      const paymentIntent = back.get('payment_intent');
      const secret = back.get('payment_intent_client_secret');
      const wrong = await one.confirm(attempt, { paymentIntent, paymentIntentClientSecret: `${secret}x` });
      expect(wrong.data.status).toBe('requires_action');
      const right = await one.confirm(attempt, { paymentIntent, paymentIntentClientSecret: secret });
      expect(await one.intents()).toMatchObject([{ id: paymentIntent, status: 'succeeded' }]);
      expect(right.data.status).toBe('succeeded');
    });
  });

  it('39: an abandoned one is canceled before the next payment is created, and charges nothing any more', async () => {
    const one = await bill();
    const { to } = await one.challenged();
    for (let tries = 0; tries < 10 && (await one.taken()).length === 0; tries += 1) {
      await one.pay(VISA);
      await run.untilEnded();
    }
    await atTheBank(to);
    const [second, first] = await one.intents();
    expect([first?.status, second?.status]).toEqual(['canceled', 'succeeded']);
    const told = (await one.events()).toReversed().map(({ type, data }) => `${type} ${data.object.id}`);
    const canceled = told.indexOf(`payment_intent.canceled ${first?.id}`);
    expect(canceled).toBeGreaterThan(-1);
    expect(told.indexOf(`payment_intent.created ${second?.id}`)).toBeGreaterThan(canceled);
    expect(await one.taken()).toEqual([11_000]);
  });

  it('39: paid meanwhile it cannot be canceled: it is read again and paid once', async () => {
    const one = await bill();
    const { to } = await one.challenged();
    await untold(async () => {
      await atTheBank(to);
      for (let tries = 0; tries < 10 && (await one.books())?.captures === 0; tries += 1) await one.pay(VISA);
    });
    expect(await one.intents()).toMatchObject([{ status: 'succeeded' }]);
    expect(await one.taken()).toEqual([11_000]);
    expect(await one.books()).toEqual({ due: 0, captures: 1 });
  });
});

describe('a webhook', () => {
  /** Signs as Stripe does: https://docs.stripe.com/webhooks#verify-manually */
  const signature = (body: string, secret: string, at = Math.floor(Date.now() / 1000)) => ({
    at,
    v1: createHmac('sha256', secret).update(`${at}.${body}`).digest('hex'),
  });
  const deliver = async (payload: string, header: string) =>
    (
      await sandbox.fixture.app.inject({
        method: 'POST',
        url: hookPath(),
        payload,
        headers: { 'content-type': 'application/json', 'stripe-signature': header },
      })
    ).statusCode;

  it('32: of a wrong secret, an old time or other bytes is refused and changes nothing; the second of two signatures will do', async () => {
    const one = await bill();
    const { to } = await one.challenged();
    await untold(async () => {
      await atTheBank(to);
      const body = JSON.stringify(
        (await one.events()).find(({ type }) => type === 'payment_intent.succeeded'),
      );
      const { at, v1 } = signature(body, SECRET);
      const foreign = signature(body, 'whsec_wrong', at);
      const old = signature(body, SECRET, at - 301);
      for (const [sent, header] of [
        [body.replace('"amount":11000', '"amount":11001'), `t=${at},v1=${v1}`],
        [body, `t=${old.at},v1=${old.v1}`],
        [body, `t=${at},v1=${foreign.v1}`],
        [body, ''],
      ] as const) {
        expect(await deliver(sent, header), header).toBe(400);
        expect(await one.attempts()).toMatchObject([{ state: 'requiresAction' }]);
        expect(await one.books()).toEqual({ due: 11_000, captures: 0 });
      }
      expect(await deliver(body, `t=${at},v1=${foreign.v1},v1=${v1}`)).toBe(200);
      // As a worker does: what could not be followed up at once is tried again.
      const later = async () => {
        await sandbox.fixture.eventsFollowed();
        return one.books();
      };
      await expect.poll(later).toEqual({ due: 0, captures: 1 });
    });
  });

  it.each(['webhook-twice', 'webhook-reversed', 'webhook-first'])('33: %s: one booking', async (mode) => {
    const one = await bill();
    await fault('charge', mode, { times: 2, ms: 100 });
    await one.pay(VISA);
    await run.untilEnded();
    await sandbox.webhooksDelivered();
    expect(await one.attempts()).toMatchObject([{ state: 'succeeded' }]);
    expect(await one.books()).toEqual({ due: 0, captures: 1 });
    expect(await one.taken()).toEqual([11_000]);
  });
});

describe('amounts', () => {
  it.each([
    ['USD', '19.99', 1_999, 1_999n],
    ['JPY', '1000', 1_000, 1_000n],
    ['KWD', '12.340', 12_340, 12_340n],
  ])('34: %s %s is charged as %s', async (currency, written, sent, minor) => {
    const one = await bill({ currency, subtotalMinor: minor, taxMinor: 0n }, written);
    await one.pay(VISA);
    await run.untilEnded();
    expect(await one.intents()).toMatchObject([{ amount: sent, currency: currency.toLowerCase() }]);
    expect(await one.taken()).toEqual([sent]);
  });

  it('34: less than Stripe takes fails, says why to the operator, and nothing is charged', async () => {
    // Its least is not known beforehand.
    const one = await bill({ currency: 'ZAR', subtotalMinor: 30n, taxMinor: 0n }, '0.30');
    const told = await one.pay(VISA);
    expect(told).toMatchObject({
      status: 'failed',
      message: 'This amount is too small to be paid this way. Nothing was charged.',
    });
    const [attempt] = await run.rows<{ code: string }>(
      "select decline->>'code' as code from attempt where id = $1",
      [told.attemptId],
    );
    expect(attempt?.code).toBe('amount_too_small');
    expect(await one.taken()).toEqual([]);
  });

  it('34: what is finer than Stripe charges is told, and Stripe is not asked', async () => {
    const one = await bill({ currency: 'KWD', subtotalMinor: 12_345n, taxMinor: 0n }, '12.345');
    expect(await one.pay(VISA)).toBeUndefined();
    expect(await one.intents()).toEqual([]);
    expect(await one.attempts()).toEqual([]);
  });

  it('34: where the least is known it is told, and Stripe is not asked', async () => {
    const one = await bill({ subtotalMinor: 30n, taxMinor: 0n }, '0.30');
    expect(await one.pay(VISA)).toBeUndefined();
    expect(await one.intents()).toEqual([]);
    expect(await one.attempts()).toEqual([]);
  });
});

describe('a gateway in trouble', () => {
  /** The money calls of an attempt: their key, and how each was answered. */
  const sends = async (ref: string | undefined) => {
    const { notes } = (await sandbox.control('GET', 'journal')) as { notes: Note[] };
    const isOurs = ({ path, idempotencyKey }: Note) =>
      path === '/v1/payment_intents' && idempotencyKey?.includes(`${ref}`);
    const own = notes.filter(isOurs);
    return {
      keys: new Set(own.map(({ idempotencyKey }) => idempotencyKey)).size,
      answers: own.map(({ status }) => status),
      at: own.map(({ at }) => Date.parse(at)),
    };
  };

  it.each([
    ['rate-limit', 429],
    ['error-500-after', 500],
  ])('36: after %s the same key is sent again', async (mode, status) => {
    const one = await bill();
    await fault('charge', mode);
    await one.pay(VISA);
    await run.untilEnded();
    const [attempt] = await one.attempts();
    const sent = await sends(attempt?.ref);
    expect(sent.keys).toBe(1);
    expect(sent.answers.slice(0, 2)).toEqual([status, 200]);
    // By the adapter itself: who looks for an open payment comes 5 s later at the earliest.
    expect((sent.at[1] ?? 0) - (sent.at[0] ?? 0)).toBeLessThan(4_000);
    expect(await one.taken()).toEqual([11_000]);
  });

  it.each([
    [true, 'succeeded', [11_000]],
    [false, 'absent', []],
  ])(
    '36: a replayed 500 ends the sending, and the list decides (executed: %s)',
    async (executed, state, taken) => {
      const one = await bill();
      await fault('charge', 'replay-500', { executed });
      await untold(async () => {
        expect((await one.pay(VISA)).status).toBe('processing');
        await run.untilEnded();
      });
      const [attempt] = await one.attempts();
      expect(await sends(attempt?.ref)).toMatchObject({ keys: 1, answers: [500, 500] });
      expect(attempt?.state).toBe(state);
      expect(await one.taken()).toEqual(taken);
    },
  );

  it('36: trouble without end is unknown, not failed', async () => {
    const one = await bill();
    await fault('charge', 'error-500-after', { times: 3 });
    await untold(async () => {
      expect((await one.pay(VISA)).status).toBe('processing');
      await run.untilEnded();
    });
    expect(await one.attempts()).toMatchObject([{ state: 'succeeded' }]);
  });
});
