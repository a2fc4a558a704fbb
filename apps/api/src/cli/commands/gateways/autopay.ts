import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { type Foreseen, previewAutoPay } from '../../../features/auto-pay/preview.ts';
import { autoPayRound, type Done } from '../../../features/auto-pay/service.ts';
import { checkedMoment, noWords, optionalNumber, resellerOption } from '../../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { reachGateways } from '../../demo-sandbox.ts';
import { engineOf } from '../../engine.ts';
import { withGateways } from '../../with-gateways.ts';
import { withRuntime } from '../../with-runtime.ts';

/** What can be in the way of a charge, in words. */
const meanings = {
  notYet: 'it is not three days before the due date yet, or not 06:00',
  announced: 'announced; its day has not come',
  disabled: 'the customer is disabled',
  noConsent: 'the customer has not agreed, and the reseller asks for it',
  noMethod: 'no default method that can be charged then',
  noGateway: 'the reseller has no gateway that can charge',
  paymentsOff: 'the brand has payments switched off',
  currency: 'the gateway does not charge in its currency',
  disputed: 'the invoice is disputed',
  noDueDate: 'it has no due date',
  beingConfirmed: 'a payment of it is not confirmed yet',
  underWay: 'it is being charged now',
  charged: 'it was charged; what is still due the customer pays',
  byCredit: 'the customer’s credit pays it',
  sameMethod: 'the method was refused; another one is needed',
  noAddress: 'there is no address to announce it to',
  cameBack: 'a payment of it came back',
  amountRaised: 'it is more than was announced; it is announced again',
  tooSmall: 'it is less than the gateway charges',
  amountNotRepresentable: 'the gateway does not charge so many decimals of the currency',
  forbidden: 'the bank forbids to try again',
  authenticate: 'the bank wants its customer to confirm',
  exhausted: 'all tries were declined',
  gateway: 'the gateway could not carry it out',
  keys: 'the gateway refuses the keys; it is charged once they are right',
} as const;

export const autopayCommand: Command = {
  usage: '[--dry-run [--now <time>]] [--reseller <id>]',
  details: [
    'With --dry-run nothing is changed, and gateways are asked only whether they take their keys: every open invoice that is due soon is listed with what',
    'would be done about it, or why nothing would.',
    'Exit codes: 0 done, 1 a charge was declined or could not be made, 2 called wrongly.',
    '',
    'Reasons:',
    ...Object.entries(meanings).map(([reason, meaning]) => `  ${reason.padEnd(16)}${meaning}`),
  ],
  options: {
    'dry-run': { type: 'boolean', help: 'only say what would be done' },
    now: { type: 'string', value: '<time>', help: 'as if it were then (ISO 8601, UTC); with --dry-run only' },
    ...resellerOption,
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const isDry = invocation.flag('dry-run');
    const at = momentOf(invocation);
    if (at !== undefined && !isDry) throw new UsageError('--now is for --dry-run: money is taken now or not');
    return isDry ? dryRun(invocation, at, resellerId) : oneRound(invocation, resellerId);
  },
};

function momentOf(invocation: Invocation): Date | undefined {
  const text = invocation.text('now');
  return text === undefined ? undefined : checkedMoment('now', text);
}

async function dryRun(
  invocation: Invocation,
  at: Date | undefined,
  resellerId: number | undefined,
): Promise<number> {
  const { now, invoices } = await withRuntime(async (runtime) => {
    const moment = at ?? runtime.clock.now();
    // The demo's keys are asked about at its sandbox or nowhere.
    const reached = await reachGateways(runtime, gatewayModules).catch((error: unknown) => {
      if (error instanceof CommandError) return undefined;
      throw error;
    });
    const deps = { ...engineOf(reached ?? runtime), asksKeys: reached !== undefined };
    return { now: moment, invoices: await previewAutoPay(deps, moment, resellerId) };
  });
  invocation.print(
    { now: now.toISOString(), invoices },
    table(
      ['would', 'reason', 'invoice', 'due', 'charge on', 'amount', 'customer'],
      invoices.map(foreseenRow),
    ),
  );
  return 0;
}

const foreseenRow = (one: Foreseen): readonly string[] => [
  one.would,
  one.reason ?? '',
  one.invoice,
  one.dueOn ?? '-',
  one.chargeOn ?? '',
  `${one.amount} ${one.currency}`,
  one.customer,
];

async function oneRound(invocation: Invocation, resellerId: number | undefined): Promise<number> {
  const done = await withGateways((runtime) =>
    autoPayRound({ ...engineOf(runtime), publicUrl: runtime.config.publicUrl }, { resellerId }),
  );
  invocation.print(
    { invoices: done },
    done.length === 0
      ? ['There was nothing to do.']
      : table(['did', 'reason', 'invoice', 'payment', 'customer'], done.map(doneRow)),
  );
  return done.some(isTrouble) ? 1 : 0;
}

const doneRow = (one: Done): readonly string[] => [
  one.did,
  one.reason ?? '',
  one.invoice,
  one.state ?? '',
  one.customer,
];

const isTrouble = ({ did, state = '' }: Done): boolean =>
  did === 'charge' && !['succeeded', 'pending'].includes(state);
