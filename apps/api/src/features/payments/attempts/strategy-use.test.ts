import type { LookupStrategy } from '@counterfoil/gateways/port/gateway.ts';
import { describe, expect, it } from 'vitest';
import { type StrategyTerms, strategyUse } from './strategy-use.ts';

const SENT = new Date('2026-03-02T10:00:00Z');
const at = (ms: number) => SENT.getTime() + ms;
const strategy: LookupStrategy = {
  by: 'scan',
  mayCharge: false,
  savedMethodOnly: false,
  firstMs: 1_000,
  visibleMs: 0,
  validMs: 'unknown',
  maxAttempts: 'any',
  absenceProvenMs: 'never',
  pause: { firstMs: 4_000, factor: 1.5, mostMs: 60_000 },
};
const attempt = {
  sent_at: SENT,
  last_sent_at: SENT,
  lookups: {},
  looked_up_at: {},
  method_sealed: null,
  initiator: 'customer' as const,
};
const terms: StrategyTerms = {
  mayCharge: true,
  isHint: false,
  repeat: 'refused',
  rights: [],
  isMethodUnchanged: true,
};
const now = { is: 'now' };
const closed = (why: string) => ({ is: 'expired', why });

describe('strategyUse', () => {
  it.each<
    [
      what: string,
      ms: number,
      strategy: Partial<LookupStrategy>,
      attempt: object,
      terms: Partial<StrategyTerms>,
      use: object,
    ]
  >([
    ['before its first time', 999, {}, {}, {}, { is: 'later', inMs: 1 }],
    ['from its first time on', 1_000, {}, {}, {}, now],
    ['past its life', 5_001, { validMs: 5_000 }, {}, {}, closed('its time is over')],
    ['without a saved method', 5_000, { savedMethodOnly: true }, {}, {}, closed('it needs a saved method')],
    ['with a saved method', 5_000, { savedMethodOnly: true }, { method_sealed: Buffer.alloc(1) }, {}, now],
    [
      ...([
        'of a changed method',
        5_000,
        { methodUnchanged: true },
        {},
        { isMethodUnchanged: false },
      ] as const),
      closed('the saved method was changed since'),
    ],
    ['sent again where that is refused', 5_000, { by: 'replay', mayCharge: true }, {}, {}, now],
    [
      ...([
        'sent again where that charges',
        5_000,
        { by: 'replay', mayCharge: true },
        {},
        { repeat: 'charges' },
      ] as const),
      closed('sending again would be a second charge'),
    ],
    ['of an unchanged method', 5_000, { methodUnchanged: true }, {}, {}, now],
    [
      ...(['without the right', 5_000, { needs: 'reporting' }, {}, { rights: ['refunds'] }] as const),
      closed('the account lacks the right reporting'),
    ],
    ['while rights are not known', 5_000, { needs: 'reporting' }, {}, { rights: undefined }, { is: 'later' }],
    ['with the right', 5_000, { needs: 'reporting' }, {}, { rights: ['reporting'] }, now],
    [
      'asked often enough',
      5_000,
      { maxAttempts: 1 },
      { lookups: { scan: 1 } },
      {},
      closed('it was used often enough'),
    ],
    [
      'for a hint, with counted look-ups',
      5_000,
      { maxAttempts: 1 },
      {},
      { isHint: true },
      { is: 'notByThis' },
    ],
    ['for a hint, with any number of look-ups', 5_000, {}, {}, { isHint: true }, now],
    [
      'that may charge, for who must not',
      5_000,
      { mayCharge: true },
      {},
      { mayCharge: false },
      { is: 'notByThis' },
    ],
    ['that may charge', 5_000, { mayCharge: true }, {}, {}, now],
    [
      'that may charge, half an hour on',
      1_800_001,
      { mayCharge: true },
      {},
      {},
      closed('the customer is gone'),
    ],
    ['that may charge, for Auto-Pay', 1_800_001, { mayCharge: true }, { initiator: 'merchant' }, {}, now],
  ])('of a strategy %s', (_what, ms, over, row, given, use) => {
    expect(
      strategyUse({ ...strategy, ...over }, { ...attempt, ...row }, at(ms), { ...terms, ...given }),
    ).toEqual(use);
  });

  it('pauses grow by their factor up to the longest', () => {
    const pauses = Array.from({ length: 12 }, (_, index) => {
      const asked = {
        lookups: { scan: index + 1 },
        looked_up_at: { scan: new Date(at(10_000)).toISOString() },
      };
      const use = strategyUse(strategy, { ...attempt, ...asked }, at(10_000), terms);
      return use.is === 'later' ? use.inMs : 0;
    });
    expect(pauses.slice(0, 4)).toEqual([4_000, 6_000, 9_000, 13_500]);
    expect(pauses.slice(-3)).toEqual([60_000, 60_000, 60_000]);
  });

  it('another strategy’s pause delays no other', () => {
    const asked = { lookups: { ref: 9 }, looked_up_at: { ref: new Date(at(10_000)).toISOString() } };
    expect(strategyUse(strategy, { ...attempt, ...asked }, at(10_000), terms)).toEqual(now);
  });
});
