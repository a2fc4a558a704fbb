import { parseDay } from '@counterfoil/domain/time/day.ts';
import type { Decline } from '@counterfoil/gateways/port/gateway.ts';
import { describe, expect, it } from 'vitest';
import { momentOf } from './context.ts';
import { afterRun, type Bill, judge, type Plan } from './judge.ts';

const day = (text: string) => parseDay(text);
const card = { id: 'm1', kind: 'card', expires: '2031-08' } as const;
const bill = (over: Partial<Bill> = {}): Bill => ({
  kind: 'invoice',
  status: 10,
  dueMinor: 11_000n,
  reversedMinor: 0n,
  dueOn: day('2026-03-15'),
  hasOpenAttempt: false,
  hasEmail: true,
  isCovered: true,
  hasConsent: true,
  isActive: true,
  paymentsEnabled: true,
  hasGateway: true,
  method: card,
  hasMethods: true,
  totalMinor: 11_000n,
  refused: null,
  plan: null,
  ...over,
});
const plan = (over: Partial<Plan> = {}): Plan => ({
  state: 'announced',
  reason: null,
  chargeOn: day('2026-03-15'),
  announcedMinor: 11_000n,
  methodId: 'm1',
  runs: 0,
  declines: 0,
  failures: 0,
  firstOn: null,
  ...over,
});
const at = (today: string, isPastSix = true) => ({ today: day(today), isPastSix });
const nothing = (reason: string) => ({ do: 'nothing', reason });

describe('the day of a brand', () => {
  it.each([
    // Zone, moment, its day there, past six.
    ['UTC', '2026-03-15T05:59:59Z', '2026-03-15', false],
    ['UTC', '2026-03-15T06:00:00Z', '2026-03-15', true],
    ['Pacific/Auckland', '2026-03-14T16:59:59Z', '2026-03-15', false],
    ['Pacific/Auckland', '2026-03-14T17:00:00Z', '2026-03-15', true],
    ['Pacific/Kiritimati', '2026-03-14T16:00:00Z', '2026-03-15', true],
    ['Pacific/Pago_Pago', '2026-03-15T16:59:59Z', '2026-03-15', false],
    ['Asia/Kathmandu', '2026-03-15T00:15:00Z', '2026-03-15', true],
    ['Asia/Kathmandu', '2026-03-15T00:14:59Z', '2026-03-15', false],
    // Clocks go forward in the night of 8 March: 06:00 is at -4, the day before at -5.
    ['America/New_York', '2026-03-07T10:59:59Z', '2026-03-07', false],
    ['America/New_York', '2026-03-07T11:00:00Z', '2026-03-07', true],
    ['America/New_York', '2026-03-08T09:59:59Z', '2026-03-08', false],
    ['America/New_York', '2026-03-08T10:00:00Z', '2026-03-08', true],
    // And back in the night of 25 October in Berlin: 06:00 is at +1, the day before at +2.
    ['Europe/Berlin', '2026-10-24T04:00:00Z', '2026-10-24', true],
    ['Europe/Berlin', '2026-10-25T04:59:59Z', '2026-10-25', false],
    ['Europe/Berlin', '2026-10-25T05:00:00Z', '2026-10-25', true],
  ])(
    '%s at %s [decisions.5.zone-auto-pay, decisions.6.constant.auto-pay-charge]',
    (timeZone, now, today, isPastSix) => {
      expect(momentOf({ timeZone }, new Date(now))).toEqual({ today, isPastSix });
    },
  );
});

describe('an invoice is announced', () => {
  it.each([
    ['not four days before', bill(), at('2026-03-11'), nothing('notYet')],
    ['not before six', bill(), at('2026-03-12', false), nothing('notYet')],
    ['three days before', bill(), at('2026-03-12'), { do: 'announce', chargeOn: '2026-03-15' }],
    [
      'at once and charged three days later when it comes late',
      bill(),
      at('2026-03-14'),
      { do: 'announce', chargeOn: '2026-03-17' },
    ],
    [
      'the same when it comes after its due date',
      bill(),
      at('2026-04-01'),
      { do: 'announce', chargeOn: '2026-04-04' },
    ],
    [
      'on a weekend as on any day',
      bill({ dueOn: day('2026-03-17') }),
      at('2026-03-14'),
      { do: 'announce', chargeOn: '2026-03-17' },
    ],
    [
      'again once what was in the way is gone',
      bill({ plan: plan({ state: 'skipped', reason: 'noConsent', chargeOn: null }) }),
      at('2026-03-20'),
      { do: 'announce', chargeOn: '2026-03-23' },
    ],
    [
      'once there is a method',
      bill({ plan: plan({ state: 'noMethod', chargeOn: null }) }),
      at('2026-03-20'),
      { do: 'announce', chargeOn: '2026-03-23' },
    ],
    ['without a method: that instead', bill({ method: null }), at('2026-03-12'), { do: 'tellNoMethod' }],
    [
      'with a card that expires before: that instead',
      bill({ method: { ...card, expires: '2026-03' }, dueOn: day('2026-04-01') }),
      at('2026-03-29'),
      { do: 'tellNoMethod' },
    ],
    [
      'with a card in its last month',
      bill({ method: { ...card, expires: '2026-03' } }),
      at('2026-03-12'),
      { do: 'announce', chargeOn: '2026-03-15' },
    ],
    [
      'without a method only once',
      bill({ method: null, plan: plan({ state: 'noMethod' }) }),
      at('2026-03-13'),
      nothing('noMethod'),
    ],
    [
      'to nobody who agreed to nothing and keeps no method',
      bill({ method: null, hasMethods: false, hasConsent: false }),
      at('2026-03-12'),
      nothing('noMethod'),
    ],
    [
      'not with the method that was refused',
      bill({ plan: plan({ state: 'skipped', reason: 'sameMethod' }) }),
      at('2026-03-20'),
      nothing('sameMethod'),
    ],
    [
      'with another one than the refused',
      bill({ plan: plan({ state: 'skipped', reason: 'sameMethod', methodId: 'm0' }) }),
      at('2026-03-20'),
      { do: 'announce', chargeOn: '2026-03-23' },
    ],
  ])('%s', (_name, one, moment, verdict) => {
    expect(judge(one, moment)).toEqual(verdict);
  });
});

/** Everything that keeps an invoice from being charged, on any day. */
const obstacles: [string, Partial<Bill>][] = [
  ['creditNote', { kind: 'creditNote' }],
  ['paid', { status: 11 }],
  ['credited', { status: 12 }],
  ['void', { status: 13 }],
  ['disputed', { status: 14 }],
  ['nothingDue', { dueMinor: 0n }],
  ['nothingDue', { dueMinor: -5n }],
  ['noConsent', { isCovered: false }],
  ['disabled', { isActive: false }],
  ['paymentsOff', { paymentsEnabled: false }],
  ['noGateway', { hasGateway: false }],
  ['currency', { refused: 'currency' }],
  ['cameBack', { reversedMinor: 1n }],
  ['noDueDate', { dueOn: null }],
  ['noAddress', { hasEmail: false }],
];

describe('an announced invoice', () => {
  it.each([
    ['waits for its day', '2026-03-14', true, nothing('announced')],
    ['waits for six o’clock', '2026-03-15', false, nothing('announced')],
    ['is charged at six on its day', '2026-03-15', true, { do: 'charge' }],
    ['is charged later when nobody worked then', '2026-03-18', true, { do: 'charge' }],
    ['is not charged at night', '2026-03-18', false, nothing('announced')],
  ])('%s', (_name, today, isPastSix, verdict) => {
    expect(judge(bill({ plan: plan() }), at(today, isPastSix))).toEqual(verdict);
  });

  it.each(obstacles)('is not charged, and neither announced: %s', (reason, over) => {
    expect(judge(bill({ ...over, plan: plan() }), at('2026-03-15'))).toEqual({ do: 'skip', reason });
    expect(judge(bill(over), at('2026-03-15'))).toEqual(nothing(reason));
  });

  it.each([
    ['noMethod', { method: null }],
    ['noMethod', { method: { ...card, expires: '2026-02' } }],
    ['amountRaised', { totalMinor: 11_001n }],
  ])('is skipped: %s', (reason, over) => {
    expect(judge(bill({ ...over, plan: plan() }), at('2026-03-15'))).toEqual({ do: 'skip', reason });
  });

  it('that somebody is paying waits for how that ends', () => {
    expect(judge(bill({ hasOpenAttempt: true, plan: plan() }), at('2026-03-15'))).toEqual(
      nothing('beingConfirmed'),
    );
    expect(judge(bill({ hasOpenAttempt: true }), at('2026-03-15'))).toEqual(nothing('beingConfirmed'));
  });

  it.each([
    ['charging', null, 'underWay'],
    ['done', null, 'charged'],
    ['stopped', 'forbidden', 'forbidden'],
    ['stopped', 'authenticate', 'authenticate'],
    ['stopped', 'exhausted', 'exhausted'],
  ] as const)('whose plan is %s (%s) is let alone', (state, reason, why) => {
    expect(judge(bill({ plan: plan({ state, reason }) }), at('2026-03-15'))).toEqual(nothing(why));
  });
});

describe('after a run', () => {
  const decline = (over: Partial<Decline>): Decline => ({
    class: 'retryLater',
    code: 'insufficient_funds',
    text: 'Not enough funds',
    ...over,
  });
  const run = (over: Partial<Plan> = {}): Plan =>
    plan({ state: 'charging', chargeOn: null, firstOn: day('2026-03-15'), runs: 1, ...over });
  const declined = (over: Partial<Decline>) => ({ state: 'declined', decline: decline(over) }) as const;

  it.each([
    [0, '2026-03-15', '2026-03-18'],
    [1, '2026-03-18', '2026-03-20'],
    [2, '2026-03-20', '2026-03-22'],
    // A bank debit that ends late is not tried again on the day before.
    [0, '2026-03-19', '2026-03-20'],
  ])(
    'that was declined (%s before) it is tried again after 3, 5 and 7 days [decisions.6.constant.auto-pay-retries]',
    (declines, today, chargeOn) => {
      const next = afterRun(run({ declines }), declined({}), day(today));
      expect(next).toMatchObject({ state: 'announced', chargeOn, declines: declines + 1 });
    },
  );

  it('that was declined for the fourth time it is given up', () => {
    expect(afterRun(run({ declines: 3 }), declined({}), day('2026-03-22'))).toMatchObject({
      state: 'stopped',
      reason: 'exhausted',
      chargeOn: null,
    });
  });

  it.each([
    ['a code that forbids it', { class: 'otherMethod', final: true }, 'stopped', 'forbidden'],
    ['a code that forbids it and says later', { final: true }, 'stopped', 'forbidden'],
    ['a bank that wants its customer', { class: 'authenticate' }, 'stopped', 'authenticate'],
    ['data that are wrong', { class: 'fixInput' }, 'skipped', 'sameMethod'],
  ] as const)(
    'it is not tried again after %s [decisions.6.auto-pay-forbidden]',
    (_name, over, state, reason) => {
      expect(afterRun(run(), declined(over), day('2026-03-15'))).toMatchObject({
        state,
        reason,
        chargeOn: null,
      });
    },
  );

  it('a plain decline may be tried again', () => {
    expect(afterRun(run(), declined({ class: 'otherMethod' }), day('2026-03-15'))).toMatchObject({
      state: 'announced',
      chargeOn: '2026-03-18',
    });
  });

  it.each(['notAttempted', 'absent'] as const)(
    'that nobody decided (%s) it is tried on the next day',
    (state) => {
      const end = { state, decline: null };
      const next = afterRun(run(), end, day('2026-03-15'));
      expect(next).toMatchObject({ state: 'announced', chargeOn: '2026-03-16', declines: 0, failures: 1 });
      expect(afterRun(run({ failures: 3 }), end, day('2026-03-18'))).toMatchObject({
        state: 'stopped',
        reason: 'gateway',
      });
    },
  );

  it('that succeeded it is done; one that was closed needs its customer', () => {
    const ended = (state: 'succeeded' | 'closed') =>
      afterRun(run(), { state, decline: null }, day('2026-03-15'));
    expect(ended('succeeded')).toMatchObject({ state: 'done', reason: null });
    expect(ended('closed')).toMatchObject({ state: 'stopped', reason: 'authenticate' });
  });
});
