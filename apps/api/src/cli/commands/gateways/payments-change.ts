import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import { findInvoiceByNumber } from '../../../features/admin/queries.ts';
import { findPayment } from '../../../features/admin-payments/queries.ts';
import {
  findPaymentKeyOfCapture,
  lookUpByOperator,
  paymentNamed,
  refundByOperator,
  resolveByOperator,
} from '../../../features/admin-payments/service.ts';
import { findCustomerBrand } from '../../../features/brand/queries.ts';
import { brandFromRow, brandUrl } from '../../../features/brand/service.ts';
import { rotatePayLink } from '../../../features/pay-links/service.ts';
import type { AttemptRow, OrderKey } from '../../../features/payments/service.ts';
import type { Runtime } from '../../../runtime.ts';
import { customerOption, needed, noWords } from '../../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, UsageError } from '../../command.ts';
import { customerNamed } from '../../customer-named.ts';
import { engineOf } from '../../engine.ts';
import { commandActor, recordCommand } from '../../record-command.ts';
import { withGateways } from '../../with-gateways.ts';
import { inTransactionWithLinks, withRuntime } from '../../with-runtime.ts';

/** @throws {UsageError} */
function oneName(invocation: Invocation): string {
  const [name, ...more] = invocation.positionals;
  if (name === undefined || more.length > 0) throw new UsageError('give one reference');
  return name;
}

const noteOf = (invocation: Invocation): string => needed(invocation, 'note').trim();

/** @throws {UsageError} */
function checkedAmount(name: string, text: string): void {
  if (!/^\d{1,13}(\.\d{1,3})?$/.test(text))
    throw new UsageError(`--${name} takes an amount such as 12.50, not '${text}'`);
}

const refund: Command = {
  usage: '<reference or capture id> --note <why> [--amount <amount> [--again <refund>]]',
  details: [
    'A refund does not make an invoice due again. What is not known at once is found out as with payments:',
    "'payments show' tells. Exit codes: 0 refunded or on its way, 1 refused or not known yet, 2 called wrongly.",
    'The same amount of the same payment is refunded once: the same order again tells what became of the first, and',
    'moves no money. To give it back once more, name the first with --again, or give each order a key of its own.',
  ],
  options: {
    amount: {
      type: 'string',
      value: '<amount>',
      help: 'such as 12.50 (all that is left)',
      check: checkedAmount,
    },
    note: { type: 'string', value: '<why>', help: 'kept with the refund' },
    again: {
      type: 'string',
      value: '<refund>',
      help: 'gives the amount back once more, on top of this refund of it',
    },
    key: {
      type: 'string',
      value: '<key>',
      help: 'instead of payment and amount, this tells which orders are the same one',
    },
  },
  async run(invocation) {
    const name = oneName(invocation);
    const note = noteOf(invocation);
    const amount = invocation.text('amount');
    const key = orderKeyOf(invocation);
    const done = await withGateways(async (runtime) => {
      const engine = engineOf(runtime);
      const payment = isId(name) ? await ofCapture(runtime, name) : undefined;
      const of = payment ?? (await paymentNamed(engine, name, undefined));
      const given = await refundByOperator(engine, of, { amount, note, key }, { actor: commandActor() });
      return { ...given, why: await whyNot(runtime, given.attempt) };
    });
    const { attempt, isNew, why } = done;
    const { ref, state, currency } = attempt;
    const given = formatDecimal(money(attempt.amount_minor, currency));
    const fee = formatDecimal(money(attempt.fee_minor, currency));
    const orderedAt = attempt.sent_at.toISOString();
    invocation.print({ ref, state, amount: given, fee, currency, why, isNew, orderedAt }, [
      `${ref}  ${state}  ${given} ${currency}${attempt.fee_minor > 0n ? `, of which fee ${fee}` : ''}${why === null ? '' : `: ${why}`}`,
      ...(isNew ? [] : wordsOfRepeat(attempt, given, key)),
    ]);
    return isOnItsWay(state) ? 0 : 1;
  },
};

/** A payment by what a refund may be ordered of besides its own names: the id of what was taken. */
const ofCapture = ({ databases }: Runtime, captureId: string) =>
  findPaymentKeyOfCapture(databases.web, captureId);

/** By what the order is known when it comes again. @throws {UsageError} */
function orderKeyOf(invocation: Invocation): OrderKey {
  const key = invocation.text('key');
  const after = invocation.text('again');
  if (key !== undefined && after !== undefined)
    throw new UsageError('give --again or --key: an order with a key of its own names no other');
  if (after !== undefined && invocation.text('amount') === undefined)
    throw new UsageError('--again belongs to --amount: all that is left can be ordered as it is');
  if (key !== undefined) return { by: 'caller', key };
  return { by: 'amount', after: after?.toUpperCase() ?? null };
}

/** Told below a refund that the same order made before: what happened now, and how the amount goes back once more. */
function wordsOfRepeat({ ref, sent_at: at }: AttemptRow, given: string, key: OrderKey): readonly string[] {
  const instead = key.by === 'caller' ? 'give another --key' : `add --amount ${given} --again ${ref}`;
  return [
    `  This refund was ordered before, on ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC; nothing was refunded now.`,
    `  To refund the same amount again, ${instead}.`,
  ];
}

const isOnItsWay = (state: string): boolean => ['succeeded', 'pending'].includes(state);

/** What is known of why a refund did not run, or of why nobody knows; null for one that is on its way. */
async function whyNot(runtime: Runtime, { ref, state, decline }: AttemptRow): Promise<string | null> {
  if (state === 'pending') return null;
  if (decline !== null) return decline.text;
  const payment = await findPayment(runtime.databases.web, ref);
  if (state === 'succeeded')
    return payment?.wentBack ? `${payment.wentBack} went back; what is left can be ordered again` : null;
  const { why, detail, evidence } = payment?.history.at(-1)?.evidence ?? {};
  const known = [typeof why === 'string' ? (REASONS[why] ?? why) : undefined, detail, evidence];
  const text = known.filter((one) => typeof one === 'string' && one !== '').join(': ');
  return text === '' ? 'its gateway has not answered yet' : text;
}

/** Why a gateway was not asked to refund, in words. */
const REASONS: Readonly<Record<string, string>> = {
  unreachable: 'the gateway was not reached',
  config: 'the gateway refuses the keys',
  invalid: 'the gateway does not take the request',
};

const resolve: Command = {
  usage: '<reference> --captured|--absent|--lost --note <how you know>',
  details: [
    'Look at the gateway first: --captured says that the money moved (its id there: --id), --absent that it did not',
    'and never will. What has ended stays; a payment that is just being sent or is on its way at the bank is refused.',
    '--lost says that you have seen to what a gateway took back beyond an ended payment; no money is booked by it.',
  ],
  options: {
    captured: { type: 'boolean', help: 'the money moved' },
    absent: { type: 'boolean', help: 'it did not, and cannot any more' },
    lost: { type: 'boolean', help: 'what was lost is seen to' },
    id: { type: 'string', value: '<id>', help: 'what the gateway calls it, with --captured' },
    note: { type: 'string', value: '<text>', help: 'how you know' },
  },
  async run(invocation) {
    const name = oneName(invocation);
    const taken = invocation.flag('captured');
    const isLost = invocation.flag('lost');
    if ([taken, invocation.flag('absent'), isLost].filter(Boolean).length !== 1)
      throw new UsageError('give one of --captured, --absent and --lost');
    const id = invocation.text('id');
    if (id !== undefined && !taken) throw new UsageError('--id belongs to --captured');
    const note = noteOf(invocation);
    const outcome = isLost ? 'lossSeen' : taken ? 'captured' : 'absent';
    const by = commandActor();
    const done = await withRuntime(async (runtime) => {
      const engine = engineOf(runtime);
      const payment = await paymentNamed(engine, name, undefined);
      const said = { outcome, note, gatewayId: id } as const;
      return { ref: payment.ref, ...(await resolveByOperator(engine, payment, said, { actor: by })) };
    });
    const { ref, state, lost } = done;
    if (lost === undefined) invocation.print({ ref, state, by }, [`${ref}  ${state}`]);
    else invocation.print({ ref, lost }, [`${ref}  lost ${lost}: seen to`]);
    return 0;
  },
};

const lookUp: Command = {
  usage: '<reference or id>',
  details: [
    'Nothing is charged by it, and the pauses that a gateway asks for are kept. Of a payment that succeeded a worker',
    'asks soon what became of it since.',
  ],
  options: {},
  async run(invocation) {
    const name = oneName(invocation);
    const done = await withGateways(async (runtime) => {
      const engine = engineOf(runtime);
      const payment = await paymentNamed(engine, name, undefined);
      return { ref: payment.ref, state: await lookUpByOperator(engine, payment) };
    });
    invocation.print(done, [`${done.ref}  ${done.state}`]);
    return 0;
  },
};

const newLink: Command = {
  usage: '--customer <id or ref> --invoice <number>',
  options: {
    ...customerOption,
    invoice: { type: 'string', value: '<number>', help: 'its number' },
  },
  async run(invocation) {
    noWords(invocation);
    const customer = needed(invocation, 'customer');
    const number = needed(invocation, 'invoice');
    const payLink = await inTransactionWithLinks(async (tx, { secrets, clock, config }) => {
      const customerId = await customerNamed(tx, customer);
      const invoice = await findInvoiceByNumber(tx, customerId, number);
      if (invoice === undefined) throw new CommandError(`the customer has no invoice ${number}`);
      const now = clock.now();
      const link = { customerId, invoiceId: invoice.id, dueOn: invoice.due_on, now };
      const token = await rotatePayLink(tx, secrets, link);
      const brand = brandFromRow(await findCustomerBrand(tx, customerId, invoice.reseller_id));
      const detail = { invoice: number };
      await recordCommand(tx, now, {
        action: 'payLink.rotated',
        resellerId: invoice.reseller_id,
        customerId,
        detail,
      });
      return brandUrl(brand, config.publicUrl, `/pay/${token}`);
    });
    invocation.print({ invoice: number, payLink }, [payLink]);
    return 0;
  },
};

export const actions = { refund, resolve, 'look-up': lookUp, 'new-link': newLink };
