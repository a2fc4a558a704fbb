import { describe, expect, it } from 'vitest';
import { lines, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { randomFrom } from '../../../../test/simulation/seeded.ts';

describe('a chargeback', () => {
  it('of more than is left takes that; the rest is our loss, a person is told, and it comes back first', async () => {
    const { tell, stand, balances, lost } = await paid();
    await tell('refund', 're_1', 11_000n);
    await tell('chargeback', 'dp_1', 11_165n);
    expect(await stand()).toMatchObject({ status: 10, reversed: '11165' });
    expect(lines.join('')).toContain('more than is left');
    expect(await lost()).toBe('11000');
    expect(await balances()).toMatchObject({ gateway: -11_000, lostAtGateway: 11_000 });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await lost()).toBe('0');
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '11000' });
    expect(await balances()).toMatchObject({ gateway: 165, lostAtGateway: 0 });
  });

  it('that takes more after a loss that came back was resolved raises a new alert', async () => {
    const { tell, customer } = await paid();
    const waits = () =>
      rows('select 1 from capture where customer_id = $1 and lost_minor > lost_seen_minor', [customer.id]);
    for (const id of ['dp_1', 'dp_2']) await tell('chargeback', id, 11_165n);
    await rows('update capture set lost_seen_minor = lost_minor where customer_id = $1', [customer.id]);
    await tell('chargebackWon', 'dp_2', 11_165n);
    expect(await waits()).toEqual([]);
    await tell('chargeback', 'dp_3', 100n);
    expect(await waits()).toHaveLength(1);
  });

  it('beside another is our loss, until one of the two is won', async () => {
    const { tell, stand, balances, lost } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('chargeback', 'dp_2', 11_165n);
    expect(lines.join('')).toContain('nothing of the charge is left');
    expect(await lost()).toBe('11165');
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    // The other one still has the money.
    expect(await lost()).toBe('0');
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_2', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(await balances()).toMatchObject({ gateway: 11_165, receivable: -11_000, lostAtGateway: 0 });
  });

  it('of what a refund took that was not delivered takes the invoice’s money after all', async () => {
    const { tell, stand, balances, lost } = await paid();
    await tell('refund', 're_1', 11_165n);
    await tell('chargeback', 'dp_1', 5_165n);
    expect([await lost(), await stand()]).toEqual(['5165', { status: 11, due: '0', reversed: '11165' }]);
    await tell('refundFailed', 're_1', 11_165n);
    expect([await lost(), await stand()]).toEqual(['0', { status: 10, due: '5000', reversed: '5165' }]);
    await tell('chargebackWon', 'dp_1', 5_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(await balances()).toMatchObject({ gateway: 11_165, refunded: 0, lostAtGateway: 0 });
  });
});

describe('many reversals of one charge', () => {
  const KINDS = ['refund', 'chargeback', 'refund', 'chargeback'] as const;
  const UNDOES = { refund: 'refundFailed', chargeback: 'chargebackWon' } as const;

  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'in any order come to what the gateway says: seed %i',
    async (seed) => {
      const next = randomFrom(seed);
      const one = await paid();
      const taken = KINDS.map((kind, n) => ({
        kind,
        id: `x_${n}`,
        minor: BigInt(1 + Math.floor(next() * 11_165)),
        undone: next() < 0.5,
      }));
      const events = taken.flatMap(({ kind, id, minor, undone }) => [
        { at: next(), is: kind, id, minor },
        ...(undone ? [{ at: next(), is: UNDOES[kind], id, minor }] : []),
      ]);
      events.sort((a, b) => a.at - b.at);
      for (const { is, id, minor } of events) expect(await one.tell(is, id, minor)).toBe(200);
      const gone = taken.reduce((sum, { undone, minor }) => (undone ? sum : sum + minor), 0n);
      expect((await one.balances())['gateway']).toBe(Number(11_165n - gone));
      // Nothing is called lost while something of the charge is left.
      const lost = gone > 11_165n ? gone - 11_165n : 0n;
      expect(await one.lost()).toBe(String(lost));
      expect(await one.stand()).toMatchObject({ reversed: String(gone - lost) });
    },
  );
});
