/** Every fault the sandbox can show while money is taken, alone and with those that make it hard to find out. */
export interface Fault {
  readonly operation: 'charge' | 'refund' | 'find' | 'save';
  readonly mode: string;
  readonly times?: number;
  readonly ms?: number;
  readonly executed?: boolean;
  /** Of `partial`: what is captured, minor units; half of what is asked for unless given. */
  readonly minor?: number;
}

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenged: '4000002760003184',
  disputed: '4000000000000259',
};
/** The same of cards that can be saved. */
export const savable = { ...cards, declined: '4000000000000341' };

const charge = (mode: string, more: Partial<Fault> = {}): Fault => ({ operation: 'charge', mode, ...more });
const find = (mode: string, times = 1): Fault => ({ operation: 'find', mode, times });
const save = (mode: string, times = 1): Fault => ({ operation: 'save', mode, times });

export interface Case {
  readonly name: string;
  readonly faults: readonly Fault[];
  /** What the payer of a pay link is told at first, where that is certain. */
  readonly told?: string | undefined;
  readonly card?: keyof typeof cards | undefined;
}
const when = (name: string, faults: readonly Fault[], told?: string, card?: keyof typeof cards): Case => ({
  name,
  faults,
  told,
  card,
});

const cut: readonly Fault[] = [
  ...['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'malformed', 'late'].map((mode) =>
    charge(mode),
  ),
  // Longer than the call's time limit, shorter than the rounds that follow.
  charge('slow', { ms: 500 }),
  charge('replay-500', { executed: true }),
  charge('replay-500', { executed: false }),
];
/** Without it a webhook brings the truth before the reconciler has to look. */
const lost = charge('webhook-lost', { times: 8 });
const blind = [
  find('lookup-blind', 3),
  find('lookup-down', 3),
  find('timeout-before', 2),
  find('malformed', 2),
];
const named = (fault: Fault) => `${fault.mode}${fault.executed === false ? ' not executed' : ''}`;

export const chargeCases: readonly Case[] = [
  when('nothing', [], 'succeeded'),
  ...cut.map((fault) => when(named(fault), [fault])),
  ...cut.map((fault) => when(`${named(fault)}, webhooks lost`, [fault, lost])),
  when('timeout-after, all repeats too', [charge('timeout-after', { times: 4 }), lost], 'processing'),
  when('error-500-after, all repeats too', [charge('error-500-after', { times: 6 })]),
  ...blind.map((fault) =>
    when(
      `timeout-after, then ${fault.mode} of look-ups`,
      [charge('timeout-after'), fault, lost],
      'processing',
    ),
  ),
  ...blind.map((fault) =>
    when(`replay-500, then ${fault.mode} of look-ups`, [charge('replay-500'), fault, lost], 'processing'),
  ),
  ...blind.map((fault) => when(`late, then ${fault.mode} of look-ups`, [charge('late'), fault, lost])),
  ...['webhook-first', 'webhook-twice', 'webhook-late', 'webhook-reversed', 'webhook-lost'].map((mode) =>
    when(mode, [charge(mode, { times: 8 })], 'succeeded'),
  ),
  // The webhook comes while the call is running, and is followed up once it has ended.
  when('webhook-first with timeout-after', [charge('webhook-first'), charge('timeout-after')], 'processing'),
  when('webhook-lost with timeout-after', [lost, charge('timeout-after')], 'processing'),
  when('part captured', [charge('partial')], 'succeeded'),
  when('part captured: all but a part of the fee', [charge('partial', { minor: 11_050 })], 'succeeded'),
  when('part captured with timeout-after', [charge('partial'), charge('timeout-after'), lost], 'processing'),
  when('self-void', [charge('self-void')], 'succeeded'),
  when('late-failure', [charge('late-failure')], 'succeeded'),
  when('resubmit', [charge('resubmit')], 'succeeded'),
  when('rate-limit', [charge('rate-limit', { times: 2 })], 'succeeded'),
  when('rate-limit, all repeats too', [charge('rate-limit', { times: 3 })]),
  when('lock-timeout', [charge('lock-timeout', { times: 2 })], 'succeeded'),
  ...['timeout-before', 'timeout-after', 'error-500-after', 'malformed', 'reset-after'].map((mode) =>
    when(`${mode} while the token is traded`, [save(mode, 3)]),
  ),
  when('declined', [], 'failed', 'declined'),
  when('declined with timeout-after', [charge('timeout-after'), lost], 'processing', 'declined'),
  when('declined with replay-500', [charge('replay-500'), lost], 'processing', 'declined'),
  when('abandoned challenge', [], 'requires_action', 'challenged'),
  when('abandoned challenge with timeout-after', [charge('timeout-after'), lost], 'processing', 'challenged'),
  when('disputed', [], 'succeeded', 'disputed'),
];

/** Of what goes wrong while money is refunded. */
const ofRefunds = new Set<string>([
  ...cut.map(({ mode }) => mode),
  'webhook-first',
  'webhook-twice',
  'webhook-late',
  'webhook-reversed',
  'webhook-lost',
  'rate-limit',
  'lock-timeout',
  'lookup-blind',
  'lookup-down',
]);
const isOfRefunds = ({ faults, card }: Case) =>
  card === undefined && faults.every(({ mode, operation }) => operation !== 'save' && ofRefunds.has(mode));

export const refundCases: readonly Case[] = chargeCases.filter(isOfRefunds).map(({ name, faults }) => ({
  name,
  faults: faults.map((fault) => (fault.operation === 'charge' ? { ...fault, operation: 'refund' } : fault)),
}));

/** What a bank takes back is due again; what it brings back, and what is refunded, is not. */
export const isTakenBack: ReadonlySet<string> = new Set(['disputed', 'late-failure']);
export const staysPaid: ReadonlySet<string> = new Set(['resubmit', 'self-void']);
