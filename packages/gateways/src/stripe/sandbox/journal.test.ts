import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Harness, newName, payment } from './test-support.ts';

const harness = new Harness();
beforeAll(() => harness.start());
afterAll(() => harness.stop());

describe('the journal', () => {
  it('survives kill -9: every answered charge is there, every key replays', async () => {
    const name = newName();
    const before = harness.client({ name });
    const answered: string[] = [];
    const paying = Array.from({ length: 40 }, async (_, index) => {
      try {
        const paid = await before.paymentIntents.create(
          payment('pm_card_visa', { metadata: { ref: `K${index}` } }),
          { idempotencyKey: `K${index}` },
        );
        answered.push(paid.id);
      } catch {
        // Cut off by the kill: it may or may not have been charged.
      }
      if (answered.length === 10) await harness.stop('SIGKILL');
    });
    await Promise.all(paying);
    await harness.stop();
    await harness.start();
    const after = harness.client({ name });
    const known = (await after.paymentIntents.list({ limit: 100 })).data.map((intent) => intent.id);
    expect(known).toEqual(expect.arrayContaining(answered));
    for (let index = 0; index < 40; index += 1) {
      await after.paymentIntents.create(payment('pm_card_visa', { metadata: { ref: `K${index}` } }), {
        idempotencyKey: `K${index}`,
      });
      expect(await harness.captures(`K${index}`)).toHaveLength(1);
    }
    expect((await after.paymentIntents.list({ limit: 100 })).data).toHaveLength(40);
  });

  it('keeps clock and tasks over a restart', async () => {
    const name = newName();
    const stripe = harness.client({ name });
    await harness.fault({ operation: 'charge', mode: 'self-void', ms: 3_600_000 });
    await stripe.paymentIntents.create(payment('pm_card_visa', { metadata: { ref: 'V' } }));
    await harness.advance(1000);
    await harness.stop('SIGKILL');
    await harness.start();
    await harness.advance(3_600_000);
    expect(await harness.captures('V')).toMatchObject([{ state: 'voided' }]);
  });

  it('holds no card number and no security code, and notes each request', async () => {
    const number = ['4242', '4242', '4242', '4242'].join('');
    const name = newName();
    const body = `key=pk_test_${name}&card[number]=${number}&card[exp_month]=12&card[exp_year]=2034&card[cvc]=987`;
    await harness.raw('POST', '/v1/tokens', { body });
    const text = readFileSync(`${harness.directory}/journal.jsonl`, 'utf8');
    expect(text).not.toContain(number);
    expect(text).not.toMatch(/"cvc":|"987"/);
    const notes = (await harness.control('GET', 'journal'))['notes'] as { path: string; status: number }[];
    expect(notes.at(-1)).toMatchObject({ path: '/v1/tokens', status: 200 });
  });

  it('is emptied by a reset; webhook addresses stay', async () => {
    await harness.control('POST', 'webhooks', {
      gateway: 'stripe',
      url: 'http://127.0.0.1:9/hook',
      secret: 's',
    });
    await harness.control('POST', 'reset');
    expect(await harness.control('GET', 'charges')).toEqual({ charges: [], refunds: [] });
    expect((await harness.control('GET', 'webhooks'))['webhooks']).toHaveLength(1);
    expect(readFileSync(`${harness.directory}/journal.jsonl`, 'utf8')).not.toContain('payment_intent');
    await harness.control('DELETE', 'webhooks');
  });

  it('ends when its parent closes its input', async () => {
    const { process: child } = harness.sandbox;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    expect(await gone).toBe(0);
    await harness.start();
  });
});
