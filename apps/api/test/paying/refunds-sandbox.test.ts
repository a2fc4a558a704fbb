import { money } from '@counterfoil/domain/money/money.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import { describe, expect, it, vi } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { runCommand } from '../../src/cli/run.ts';
import { reconcile } from '../../src/features/payments/attempts/reconcile.ts';
import { bookReversal } from '../../src/features/payments/reversals/reversals.ts';
import { brokenRules } from '../fixtures/paying/books.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';

const LOST_AFTER_MS = 500;

/** The operator's commands over a database with payments made at the sandbox. */
// Only commands lose an answer here: the server may wait while the machine is busy.
const sandbox = useSandboxFixture({}, { timeoutMs: 5_000 });

const run = (...args: readonly string[]) =>
  runAt([...sandbox.fixture.deps.config.gatewayUrls.values()][0] ?? '', ...args);

async function runAt(gatewayUrl: string, ...args: readonly string[]) {
  const { config } = sandbox.fixture.deps;
  vi.stubEnv('DATABASE_URL', sandbox.fixture.database.url);
  vi.stubEnv('SECRET_KEY', config.secretKey ?? '');
  vi.stubEnv('DATA_DIR', config.dataDir);
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('DEMO', '0');
  vi.stubEnv('GATEWAY_URL_STRIPE', gatewayUrl);
  const out: string[] = [];
  const err: string[] = [];
  const output = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await runCommand(commands, args, output);
  vi.unstubAllEnvs();
  return { code, out: out.join('\n'), err: err.join('\n') };
}
const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).out);

async function paid() {
  const invoice = await sandbox.fixture.seedPayable(sandbox.customer);
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: await sandbox.cardToken('4242424242424242'),
  };
  const answer = await sandbox.fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
  const { attemptId, reference } = answer.json().data;
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await json('payments', 'show', reference)).state === 'succeeded') break;
    await sandbox.advance(5_000);
    await reconcile(sandbox.fixture.engine);
  }
  await sandbox.webhooksDelivered();
  return { invoice, id: String(attemptId), ref: String(reference) };
}
const refundedAt = async (ref: string) =>
  (await sandbox.charges()).find(({ reference }) => reference === ref)?.refundedMinor;

describe('payments refund', () => {
  it('refunds a part and then the rest, shown and listed, and no more', async () => {
    const { ref, id, invoice } = await paid();
    expect(await run('payments', 'refund', ref)).toMatchObject({ code: 2 });
    for (const [amount, code] of [
      ['ten', 2],
      ['1.005', 1],
    ] as const)
      expect(await run('payments', 'refund', ref, '--note', 'x', '--amount', amount)).toMatchObject({ code });
    const part = await json('payments', 'refund', ref, '--amount', '10.00', '--note', 'agreed');
    expect(part).toMatchObject({ state: 'succeeded', amount: '10.00', currency: 'USD' });
    expect(await refundedAt(ref)).toBe(1_000);
    const shown = await json('payments', 'show', part.ref);
    expect(shown).toMatchObject({
      direction: 'refund',
      of: ref,
      history: [{ evidence: { note: 'agreed' } }, {}],
    });
    expect(await json('payments', 'show', id)).toMatchObject({
      ref,
      capture: { amount: '110.00', refunded: '10.00' },
    });
    expect(await run('payments', 'refund', id, '--note', 'all')).toMatchObject({ code: 0 });
    expect(await refundedAt(ref)).toBe(11_000);
    const none = await run('payments', 'refund', ref, '--note', 'again');
    expect([none.code, none.out]).toEqual([
      0,
      expect.stringContaining('This refund was ordered before, on '),
    ]);
    expect(await refundedAt(ref)).toBe(11_000);
    const more = await run('payments', 'refund', ref, '--note', 'more', '--amount', '1.00');
    expect([more.code, more.err]).toEqual([1, expect.stringContaining('Nothing of this payment is left')]);
    await sandbox.webhooksDelivered();
    expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
    const { payments } = await json('payments', 'list', '--invoice', invoice.number);
    expect(payments).toMatchObject([{ ref, state: 'succeeded' }]);
    const lines = (await run('payments', 'export', '--customer', sandbox.customer.id)).out.split('\n');
    expect(lines[0]).toMatch(/^"id","ref","direction","of","state","amount","fee","currency"/);
    expect(lines.filter((line) => line.includes('refund'))).toHaveLength(2);
    const ndjson = await run('payments', 'export', '--format', 'ndjson', '--limit', '1');
    expect(JSON.parse(ndjson.out)).toMatchObject({ direction: 'refund' });
    const audit = await sandbox.fixture.database
      .pool()
      .query("select count(*)::int as n from audit_event where action = 'payment.refunded'");
    expect(audit.rows).toEqual([{ n: 2 }]);
  });

  it('goes out once for one amount, says so when it is pressed twice, and once more by naming the first', async () => {
    const { ref } = await paid();
    const order = ['payments', 'refund', ref, '--note', 'x', '--amount', '12.00'];
    const first = await json(...order);
    expect(first).toMatchObject({ state: 'succeeded', isNew: true });
    const twice = await run(...order);
    expect(twice.code).toBe(0);
    expect(twice.out).toContain(
      `This refund was ordered before, on ${first.orderedAt.slice(0, 19).replace('T', ' ')} UTC; nothing was refunded now.`,
    );
    expect(twice.out).toContain(`To refund the same amount again, add --amount 12.00 --again ${first.ref}.`);
    expect(await json(...order)).toMatchObject({ ref: first.ref, isNew: false });
    expect(await refundedAt(ref)).toBe(1_200);
    const again = await json(...order, '--again', first.ref.toLowerCase());
    expect(await json(...order, '--again', first.ref)).toMatchObject({ ref: again.ref, isNew: false });
    expect(await refundedAt(ref)).toBe(2_400);
    for (const wrong of [
      [...order, '--again', first.ref, '--key', 'k'],
      ['payments', 'refund', ref, '--note', 'x', '--again', first.ref],
    ])
      expect(await run(...wrong)).toMatchObject({ code: 2 });
    await sandbox.webhooksDelivered();
  });

  it('says why it did not run, and why nobody knows', async () => {
    const { ref } = await paid();
    const order = ['payments', 'refund', ref, '--note', 'x', '--amount'];
    const closed = await nowhere();
    const unsent = await runAt(closed, ...order, '1.00');
    expect([unsent.code, unsent.out]).toEqual([
      1,
      expect.stringMatching(/ {2}notAttempted {2}1\.00 USD: the gateway was not reached: .+/),
    ]);
    expect(JSON.parse((await runAt(closed, ...order, '1.00', '--json')).out)).toMatchObject({
      state: 'notAttempted',
      why: expect.stringContaining('the gateway was not reached: '),
    });
    await sandbox.control('POST', 'faults', {
      gateway: 'stripe',
      operation: 'refund',
      mode: 'malformed',
      times: 9,
    });
    const unknown = await run(...order, '2.00', '--key', 'lost');
    const again = await json(...order, '2.00', '--key', 'lost');
    await sandbox.control('DELETE', 'faults');
    expect([unknown.code, unknown.out]).toEqual([1, expect.stringMatching(/ {2}unknown {2}2\.00 USD: .+/)]);
    expect(again).toMatchObject({ state: 'unknown', why: expect.stringMatching(/.+/) });
    expect(unknown.out).toContain(again.why);
    expect(await json(...order, '3.00')).toMatchObject({ state: 'succeeded', why: null });
  });

  it.each(['timeout-after', 'error-500-after', 'reset-after', 'malformed'])(
    'whose answer is lost (%s) is found out and booked once',
    async (mode) => {
      const { ref } = await paid();
      await sandbox.control('POST', 'faults', { gateway: 'stripe', operation: 'refund', mode, times: 3 });
      // A command waits for a gateway as long as in earnest.
      const within = AbortSignal.timeout.bind(AbortSignal);
      vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => within(Math.min(ms, LOST_AFTER_MS)));
      await run('payments', 'refund', ref, '--note', 'x', '--amount', '33.00');
      await sandbox.control('DELETE', 'faults');
      for (let tries = 0; tries < 10; tries += 1) {
        await sandbox.advance(30_000);
        await reconcile(sandbox.fixture.engine);
      }
      await sandbox.webhooksDelivered();
      const { payments } = await json('payments', 'list', '--customer', sandbox.customer.id);
      const backs = payments.filter((one: { of: string | null }) => one.of === ref);
      expect(backs).toMatchObject([{ direction: 'refund', state: 'succeeded' }]);
      expect(await refundedAt(ref)).toBe(3_300);
      expect(await json('payments', 'show', ref)).toMatchObject({ capture: { refunded: '33.00' } });
      expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
    },
  );
});

describe('payments resolve and new-link', () => {
  it('end nothing that has ended and want a word and a note', async () => {
    const { ref } = await paid();
    for (const args of [
      [],
      ['--captured', '--absent'],
      ['--absent', '--id', 'x', '--note', 'n'],
      ['--absent'],
    ])
      expect(await run('payments', 'resolve', ref, ...args)).toMatchObject({ code: 2 });
    const ended = await run('payments', 'resolve', ref, '--absent', '--note', 'n');
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('has ended: succeeded')]);
    expect(await run('payments', 'resolve', 'NOSUCH', '--absent', '--note', 'n')).toMatchObject({ code: 1 });
  });

  it('show what a gateway took beyond a payment, list it until somebody has seen to it, and keep their word', async () => {
    const { ref, id } = await paid();
    const charge = { customerId: sandbox.customer.id, attemptId: id };
    const amount = money(11_000n, 'USD');
    for (const one of ['dp_1', 'dp_2'])
      await bookReversal(sandbox.fixture.engine, charge, undefined, {
        kind: 'chargeback',
        remote: remoteId(`${one}_${ref}`),
        amount,
        code: 'fraudulent',
      });
    expect((await run('payments', 'show', ref)).out).toContain(`payments resolve ${ref} --lost --note`);
    const waiting = async () =>
      (await json('payments', 'list', '--open')).payments.map((one: { ref: string }) => one.ref);
    expect(await waiting()).toContain(ref);
    const seen = await run('payments', 'resolve', ref, '--lost', '--note', 'contested');
    expect([seen.code, seen.out]).toEqual([0, expect.stringContaining('lost 110.00 USD: seen to')]);
    expect(await waiting()).not.toContain(ref);
    expect(await run('payments', 'resolve', ref, '--lost', '--note', 'n')).toMatchObject({ code: 1 });
    expect(await json('payments', 'show', ref)).toMatchObject({
      lost: null,
      capture: { refunded: '110.00', lost: '110.00' },
    });
    expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
  });

  it('give an invoice a new link; the old one is over [decisions.6.control.pay-link-rotate]', async () => {
    const invoice = await sandbox.fixture.seedPayable(sandbox.customer);
    const args = ['--customer', sandbox.customer.id, '--invoice', invoice.number];
    const { payLink } = await json('payments', 'new-link', ...args);
    const status = async (token: string) =>
      (await sandbox.fixture.app.inject({ method: 'GET', url: `/v1/ec/payment/details/${token}` }))
        .statusCode;
    expect(await status(invoice.token)).toBe(410);
    expect(await status(String(new URL(payLink).pathname.split('/').at(-1)))).toBe(200);
    expect(
      await run('payments', 'new-link', '--customer', sandbox.customer.id, '--invoice', 'none'),
    ).toMatchObject({ code: 1 });
  });
});

describe('autopay', () => {
  it('says what it would do and changes nothing; a moment is for that only', async () => {
    const { fixture, customer } = sandbox;
    await fixture.seedPayable(customer, { dueOn: '2026-03-15' });
    const counts = () =>
      fixture.database.pool().query(
        `select (select count(*) from autopay_plan) as plans, (select count(*) from outbox) as mails,
                (select count(*) from attempt) as attempts, (select count(*) from autopay_run) as runs`,
      );
    const before = (await counts()).rows;
    const { invoices, now } = await json('autopay', '--dry-run', '--now', '2026-03-12T12:00:00Z');
    expect(now).toBe('2026-03-12T12:00:00.000Z');
    expect(invoices.length).toBeGreaterThan(0);
    expect(invoices.every((one: { would: string; reason: string }) => one.would === 'nothing')).toBe(true);
    expect(invoices[0]).toMatchObject({ reason: 'noConsent', customerId: customer.id });
    expect((await run('autopay', '--dry-run')).out).toContain('noConsent');
    expect((await counts()).rows).toEqual(before);
    expect(await run('autopay', '--now', '2026-03-12')).toMatchObject({ code: 2 });
    expect(await run('autopay', '--dry-run', '--now', 'soon')).toMatchObject({ code: 2 });
    expect(await run('autopay')).toMatchObject({ code: 0, out: 'There was nothing to do.' });
    expect((await run('autopay', '--help')).out).toContain('Reasons:');
  });
});
