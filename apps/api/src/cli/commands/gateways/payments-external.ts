import {
  externalMethods,
  newExternalPayment,
} from '@counterfoil/contract/operator/paying/external-payments.ts';
import * as z from 'zod/mini';
import { presentExternalPayment } from '../../../features/external-payments/present.ts';
import { listExternalPayments } from '../../../features/external-payments/queries.ts';
import { recordExternalPayment, voidExternalPayment } from '../../../features/external-payments/service.ts';
import {
  checkedId,
  customerOption,
  limitOf,
  limitOption,
  needed,
  noWords,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { type Command, type Invocation, table, UsageError } from '../../command.ts';
import { customerNamed } from '../../customer-named.ts';
import { commandActor } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

const recorder = (invocation: Invocation) => ({
  resellerId: optionalNumber(invocation, 'reseller'),
  actor: commandActor(),
});

const add: Command = {
  usage: '--customer <id or ref> --reference <text> --amount <amount> --currency <code> --received <day> …',
  details: [
    'It pays the invoices that are named, else those that are open, the longest due first; what is left is the customer’s credit.',
    'What a payment under way holds of an invoice is left to it. The same reference again books nothing.',
  ],
  options: {
    ...resellerOption,
    ...customerOption,
    reference: { type: 'string', help: 'your own name of the payment, such as that of the bank statement' },
    amount: { type: 'string', value: '<amount>', help: 'such as 12.50' },
    currency: { type: 'string', value: '<code>', help: 'such as EUR' },
    received: { type: 'string', value: '<day>', help: 'when the money came, such as 2026-03-15' },
    method: { type: 'string', help: `${externalMethods.join(', ')} (bankTransfer)` },
    invoice: { type: 'string', value: '<number>', multiple: true, help: 'an invoice that it pays' },
    note: { type: 'string', help: 'kept with it' },
  },
  async run(invocation) {
    noWords(invocation);
    const invoices = invocation.texts('invoice');
    const read = z.safeParse(newExternalPayment, {
      customer: needed(invocation, 'customer'),
      reference: needed(invocation, 'reference'),
      amount: needed(invocation, 'amount'),
      currency: needed(invocation, 'currency').toUpperCase(),
      receivedOn: needed(invocation, 'received'),
      method: invocation.text('method') ?? 'bankTransfer',
      note: invocation.text('note') ?? '',
      ...(invoices.length > 0 && { invoices }),
    });
    if (!read.success) throw new UsageError(faultOf(read.error));
    const { payment, isNew } = await inTransaction((tx, { clock }) =>
      recordExternalPayment(tx, read.data, recorder(invocation), clock.now()),
    );
    const shown = presentExternalPayment(payment);
    invocation.print({ ...shown, isNew }, [
      isNew
        ? 'Payment booked.'
        : `This payment was recorded before; nothing was booked now (${shown.status}).`,
      `id ${shown.id}`,
      ...shown.invoices.map(({ number, amount }) => `  ${number}  ${amount} ${shown.currency}`),
      `  credit  ${shown.toCredit} ${shown.currency}`,
    ]);
    return 0;
  },
};

const options: Readonly<Record<string, string>> = { receivedOn: 'received', invoices: 'invoice' };

function faultOf(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  const member = String(issue?.path[0] ?? '');
  return `--${options[member] ?? member}: ${issue?.message ?? 'not valid'}`;
}

const voidIt: Command = {
  usage: '<id> --note <why>',
  details: [
    'Its invoices are due again, and the credit that it left is taken back, even where it was used since.',
  ],
  options: { ...resellerOption, note: { type: 'string', value: '<why>', help: 'kept in the audit trail' } },
  async run(invocation) {
    const [word, ...more] = invocation.positionals;
    if (word === undefined || more.length > 0) throw new UsageError('give the id of one payment');
    const id = checkedId(word);
    const note = needed(invocation, 'note').trim();
    const payment = await inTransaction((tx, { clock }) =>
      voidExternalPayment(tx, id, note, recorder(invocation), clock.now()),
    );
    invocation.print(presentExternalPayment(payment), [`Payment ${payment.reference} is taken back.`]);
    return 0;
  },
};

const external: Command = {
  usage: '[--reseller <id>] [--customer <id or ref>] [--limit <n>]',
  options: { ...resellerOption, ...customerOption, ...limitOption },
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const limit = limitOf(invocation);
    const name = invocation.text('customer');
    const rows = await withRuntime(async ({ databases: { web } }) => {
      const customerId = name === undefined ? undefined : await customerNamed(web, name, resellerId);
      return listExternalPayments(web, { resellerId, customerId, before: undefined, limit });
    });
    const shown = rows.map(presentExternalPayment);
    invocation.print(
      { payments: shown },
      table(
        ['id', 'received', 'amount', 'currency', 'method', 'status', 'reference', 'invoices'],
        shown.map((one) => [
          one.id,
          one.receivedOn,
          one.amount,
          one.currency,
          one.method,
          one.status,
          one.reference,
          one.invoices.map(({ number }) => number).join(' '),
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { add, void: voidIt, external };
