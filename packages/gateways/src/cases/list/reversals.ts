/** Cases about what becomes of a payment after its end: told by the gateway when it is asked. */
import type { GatewayCase } from '../case.ts';
import { CaseFailed, ensure } from '../case-end.ts';
import type { ReversalKind, TestMethod } from '../data.ts';
import { lost } from '../session.ts';
import { payWhole } from '../settle.ts';

const ways: readonly (readonly [id: string, title: string, ...ReversalKind[]])[] = [
  ['late-failure', 'a debit that fails after it was taken is told once', 'failed'],
  ['late-resubmitted', 'a debit that failed late and is sent again is told as both', 'failed', 'resubmitted'],
  ['chargeback', 'a chargeback is told once', 'chargeback'],
  [
    'chargeback-won',
    'a chargeback that is won back is told as both, by one name',
    'chargeback',
    'chargebackWon',
  ],
];

export const reversalCases = (good: TestMethod): GatewayCase[] =>
  ways.map(([id, title, ...kinds]) => ({
    id,
    title,
    needs: 'data',
    async run(session) {
      const charge = await session.charge(good);
      const paid = await payWhole(session, charge);
      for (const kind of kinds) await session.run.data.sandbox.reverse?.(paid.remote, kind, session.account);
      for (let look = 0; look < 2; look += 1) {
        const told = await session.gateway.listReversals?.(lost(charge), paid.state);
        if (told === undefined || told === 'inconclusive') throw new CaseFailed('it cannot be read');
        const { reversals } = told;
        const read = reversals.map(({ kind }) => kind);
        ensure(`${read}` === `${kinds}`, `expected ${kinds}, got ${read}`);
        const isWhole = reversals.every(({ amount }) => amount.minor === charge.amount.minor);
        ensure(isWhole, 'it is of another amount');
        const isNamed = reversals.every(({ of }) => of === paid.remote);
        ensure(isNamed, 'it is of another payment');
        const names = new Set(reversals.map(({ remote }) => remote));
        ensure(names.size === (kinds.includes('chargebackWon') ? 1 : kinds.length), 'its names do not fit');
      }
    },
  }));
