import { formatDecimal, money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { findInvoiceByNumber } from '../../../features/admin/queries.ts';
import { findPaymentKey } from '../../../features/admin-payments/payment-keys.ts';
import { findPayment, seeToLost } from '../../../features/admin-payments/queries.ts';
import { findCustomerBrand } from '../../../features/brand/queries.ts';
import { brandFromRow, brandUrl } from '../../../features/brand/service.ts';
import { rotatePayLink } from '../../../features/pay-links/service.ts';
import type { AttemptRow } from '../../../features/payments/attempts/attempt-row.ts';
import { readAttempt } from '../../../features/payments/attempts/engine.ts';
import type { ManualResolution } from '../../../features/payments/attempts/finding.ts';
import { settle } from '../../../features/payments/attempts/settle.ts';
import { RefundRefused, refundPayment, settleRefund } from '../../../features/payments/refunds/refund.ts';
import type { OrderKey } from '../../../features/payments/refunds/refund-key.ts';
import { settleResubmission } from '../../../features/payments/reversals/resubmissions.ts';
import type { Runtime } from '../../../runtime.ts';
import { customerOption, needed, noWords } from '../../arguments.ts';
import { type Command, CommandError, type Invocation, UsageError } from '../../command.ts';
import { customerNamed } from '../../customer-named.ts';
import { engineOf } from '../../engine.ts';
import { commandActor, recordCommand } from '../../record-command.ts';
import { withGateways } from '../../with-gateways.ts';
import { inTransaction, inTransactionWithLinks, withRuntime } from '../../with-runtime.ts';

/** @throws {UsageError} */
function oneName(invocation: Invocation): string {
  const [name, ...more] = invocation.positionals;
  if (name === undefined || more.length > 0) throw new UsageError('give one reference');
  return name;
}

const noteOf = (invocation: Invocation): string => needed(invocation, 'note').trim();

const refund: Command = {
  usage: '<reference or capture id> --note <why> [--amount <amount> [--again <refund>]]',
  details: [
    'A refund does not make an invoice due again. What is not known at once is found out as with payments:',
    "'payments show' tells. Exit codes: 0 refunded or on its way, 1 refused or not known yet, 2 called wrongly.",
    'The same amount of the same payment is refunded once: the same order again tells what became of the first, and',
    'moves no money. To give it back once more, name the first with --again, or give each order a key of its own.',
  ],
  options: {
    amount: { type: 'string', value: '<amount>', help: 'such as 12.50 (all that is left)' },
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
      const found = await findPaymentKey(runtime.databases.web, name);
      if (found === undefined) throw new CommandError(`there is no payment ${name}`);
      const { customerId, captureId, currency, resellerId, ref } = found;
      if (captureId === null)
        throw new CommandError(`nothing was taken by ${ref}: there is nothing to refund`);
      const minor = amount === undefined ? undefined : minorOf(amount, currency);
      const order = {
        customerId,
        captureId,
        minor,
        note,
        by: commandActor(),
        key,
        also: (tx: Parameters<typeof recordCommand>[0]) =>
          recordCommand(tx, runtime.clock.now(), {
            action: 'payment.refunded',
            resellerId,
            customerId,
            detail: { payment: ref, amount: amount ?? 'all', note },
          }),
      };
      const given = await refundPayment(engineOf(runtime), order).catch((error: unknown) => {
        if (error instanceof RefundRefused) throw new CommandError(error.message);
        throw error;
      });
      return { ...given, why: await whyNot(runtime, given.attempt) };
    });
    const { attempt, isNew, why } = done;
    const { ref, state, currency } = attempt;
    const given = formatDecimal(money(attempt.amount_minor, currency));
    const orderedAt = attempt.sent_at.toISOString();
    invocation.print({ ref, state, amount: given, currency, why, isNew, orderedAt }, [
      `${ref}  ${state}  ${given} ${currency}${why === null ? '' : `: ${why}`}`,
      ...(isNew ? [] : wordsOfRepeat(attempt, given, key)),
    ]);
    return isOnItsWay(state) ? 0 : 1;
  },
};

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

function minorOf(amount: string, currency: string): bigint {
  try {
    return parseMoney(amount, currency).minor;
  } catch {
    throw new UsageError(`--amount takes an amount in ${currency} such as 12.50, not '${amount}'`);
  }
}

/** How an operator's word ends an attempt. */
const ends = { charge: settle, refund: settleRefund, resubmission: settleResubmission } as const;

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
    if (isLost) return seenTo(invocation, name, note);
    const by = commandActor();
    const word: ManualResolution = {
      is: 'manualResolution',
      taken,
      by,
      note,
      ...(id === undefined ? {} : { id }),
    };
    const after = await withRuntime(async (runtime) => {
      const engine = engineOf(runtime);
      const found = await findPaymentKey(runtime.databases.web, name);
      if (found === undefined) throw new CommandError(`there is no payment ${name}`);
      const { attemptId, customerId, resellerId, ref } = found;
      const key = { customerId, attemptId };
      const before = await readAttempt(engine, key);
      if (before === undefined || !isOpen(before.state))
        throw new CommandError(`${ref} has ended: ${before?.state ?? 'gone'}`);
      const row = await ends[before.direction](engine, key, word, 'operator');
      if (isOpen(row.state))
        throw new CommandError(`${ref} is ${row.state}: its gateway may still answer; wait until it is held`);
      // Another word, or its gateway's answer, was faster.
      if ((row.state === 'succeeded') !== taken)
        throw new CommandError(`${ref} has ended meanwhile: ${row.state}`);
      await runtime.databases.web.transaction((tx) =>
        recordCommand(tx, runtime.clock.now(), {
          action: 'payment.resolved',
          resellerId,
          customerId,
          detail: { payment: ref, taken, note, ...(id === undefined ? {} : { id }) },
        }),
      );
      return row;
    });
    invocation.print({ ref: after.ref, state: after.state, by }, [`${after.ref}  ${after.state}`]);
    return 0;
  },
};

async function seenTo(invocation: Invocation, name: string, note: string): Promise<number> {
  const done = await inTransaction(async (tx, runtime) => {
    const found = await findPaymentKey(tx, name);
    if (found === undefined) throw new CommandError(`there is no payment ${name}`);
    const { customerId, attemptId, resellerId, ref } = found;
    const seen = await seeToLost(tx, customerId, attemptId);
    if (seen === undefined) throw new CommandError(`nothing that was lost by ${ref} waits for anybody`);
    const lost = `${formatDecimal(money(seen.minor, seen.currency))} ${seen.currency}`;
    await recordCommand(tx, runtime.clock.now(), {
      action: 'payment.resolved',
      resellerId,
      customerId,
      detail: { payment: ref, lost, note },
    });
    return { ref, lost };
  });
  invocation.print(done, [`${done.ref}  lost ${done.lost}: seen to`]);
  return 0;
}

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

export const actions = { refund, resolve, 'new-link': newLink };
