import { readFileSync } from 'node:fs';
import { SandboxHarness } from '@counterfoil/sandbox/test-support.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What every gateway's sandbox has of the process it runs in; asked of one that charges at once. */
const harness = new SandboxHarness('stripe');
beforeAll(() => harness.start());
afterAll(() => harness.end());

async function call(path: string, fields: Record<string, string>, key: string): Promise<string> {
  const answer = await fetch(`${harness.sandbox.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_journal', 'idempotency-key': key },
    body: new URLSearchParams(fields),
  });
  return ((await answer.json()) as { id: string }).id;
}
const pay = (ref: string) =>
  call(
    'payment_intents',
    { amount: '900', currency: 'aud', payment_method: 'pm_card_visa', confirm: 'true', 'metadata[ref]': ref },
    ref,
  );

const lastNote = async () => ((await harness.control('GET', 'journal'))['notes'] as readonly object[]).at(-1);

describe('the journal', () => {
  it('survives kill -9: every answered charge is there, every key replays', async () => {
    const refs = Array.from({ length: 40 }, (_, index) => `K${index}`);
    const answered = new Map<string, string>();
    const paying = refs.map(async (ref) => {
      try {
        answered.set(ref, await pay(ref));
      } catch {
        // Cut off by the kill: it may or may not have been charged.
      }
      if (answered.size === 10) await harness.stop('SIGKILL');
    });
    await Promise.all(paying);
    await harness.stop();
    await harness.start();
    expect(answered.size).toBeGreaterThanOrEqual(10);
    for (const ref of refs) {
      const id = await pay(ref);
      expect(id).toBe(answered.get(ref) ?? id);
      expect(await harness.captures(ref)).toMatchObject([{ remote: id }]);
    }
  });

  it('keeps clock and tasks over a restart', async () => {
    await harness.fault({ operation: 'charge', mode: 'self-void', ms: 3_600_000 });
    await pay('V');
    await harness.advance(1000);
    await harness.stop('SIGKILL');
    await harness.start();
    await harness.advance(3_600_000);
    expect(await harness.captures('V')).toMatchObject([{ state: 'voided' }]);
  });

  it('holds no card number and no security code, and notes each request', async () => {
    const number = ['4242', '4242', '4242', '4242'].join('');
    const card = { number, exp_month: '12', exp_year: '2034', cvc: '987' };
    const body = new URLSearchParams({ key: 'pk_test_journal' });
    for (const [name, value] of Object.entries(card)) body.set(`card[${name}]`, value);
    await fetch(`${harness.sandbox.url}/v1/tokens`, { method: 'POST', body });
    const text = readFileSync(`${harness.directory}/journal.jsonl`, 'utf8');
    expect(text).not.toContain(number);
    expect(text).not.toMatch(/"cvc":|"987"/);
    expect(await lastNote()).toMatchObject({ path: '/v1/tokens', status: 200 });
  });

  it('is emptied by a reset; webhook addresses stay', async () => {
    const order = { gateway: 'stripe', url: 'http://127.0.0.1:9/hook', secret: 's' };
    await harness.control('POST', 'webhooks', order);
    await harness.control('POST', 'reset');
    expect(await harness.control('GET', 'charges')).toEqual({ charges: [], refunds: [] });
    expect((await harness.control('GET', 'webhooks'))['webhooks']).toHaveLength(1);
    expect(readFileSync(`${harness.directory}/journal.jsonl`, 'utf8')).not.toContain('payment_intent');
    await harness.control('DELETE', 'webhooks');
  });
});

describe('orders', () => {
  it('clearing the faults lets hung connections go', async () => {
    await harness.fault({ operation: 'charge', mode: 'timeout-after' });
    const ended = expect(pay('hung')).rejects.toThrow('fetch failed');
    await expect.poll(lastNote).toMatchObject({ status: 'no answer' });
    await harness.control('DELETE', 'faults');
    await ended;
  });

  it.each([
    ['faults', { gateway: 'stripe', operation: 'charge', mode: 'sulk' }, 'mode'],
    ['faults', { gateway: 'nobody', operation: 'charge', mode: 'slow' }, 'gateway'],
    ['settings', { delayMs: -1 }, 'delayMs'],
    ['webhooks', { gateway: 'stripe', url: 'ftp://x', secret: 's' }, 'url'],
  ])('of %s that it does not know are refused: %j', async (path, order, named) => {
    await expect(harness.control('POST', path, order)).rejects.toThrow(named);
  });
});

it('ends when its parent closes its input', async () => {
  const { process: child } = harness.sandbox;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  expect(await gone).toBe(0);
});
