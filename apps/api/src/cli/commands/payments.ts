import { attemptStates } from '@counterfoil/domain/attempt.ts';
import { findPayment, listPayments, type Payment } from '../../features/admin/payments.ts';
import { checkedId, limitOf, limitOption, noWords, optionalNumber } from '../arguments.ts';
import { type Command, CommandError, type CommandGroup, table, UsageError } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

const rowOf = (one: Payment): readonly string[] => [
  one.sentAt.slice(0, 19).replace('T', ' '),
  one.ref,
  one.state,
  one.amount,
  one.currency,
  `${one.resellerId}`,
  one.gateway,
  one.invoices.join(' '),
  one.customer,
];

const list: Command = {
  name: 'list',
  usage: '[--reseller <id>] [--customer <id>] [--state <state>] [--limit <n>]',
  summary: 'Lists payment attempts, newest first.',
  options: {
    reseller: { type: 'string', value: '<id>', help: 'only of this reseller' },
    customer: { type: 'string', value: '<id>', help: 'only of this customer' },
    state: { type: 'string', help: attemptStates.join(', ') },
    ...limitOption,
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const customer = invocation.text('customer');
    const customerId = customer === undefined ? undefined : checkedId('customer', customer);
    const state = invocation.text('state');
    if (state !== undefined && !attemptStates.some((one) => one === state)) {
      throw new UsageError(`--state is one of ${attemptStates.join(', ')}`);
    }
    const limit = limitOf(invocation);
    const payments = await withRuntime(({ databases }) =>
      listPayments(databases.web, { resellerId, customerId, state, limit }),
    );
    invocation.print(
      { payments },
      table(
        [
          'sent (UTC)',
          'reference',
          'state',
          'amount',
          'currency',
          'reseller',
          'gateway',
          'invoices',
          'customer',
        ],
        payments.map(rowOf),
      ),
    );
    return 0;
  },
};

const show: Command = {
  name: 'show',
  usage: '<reference>',
  summary: 'Shows one attempt with every change of its state.',
  options: {},
  async run(invocation) {
    const [ref, ...more] = invocation.positionals;
    if (ref === undefined || more.length > 0) throw new UsageError('give one reference');
    const payment = await withRuntime(({ databases }) => findPayment(databases.web, ref.toUpperCase()));
    if (payment === undefined) throw new CommandError(`there is no payment ${ref}`);
    invocation.print(payment, [
      `${payment.ref}  ${payment.state}`,
      `  ${payment.amount} ${payment.currency}, of which fee ${payment.fee}, by ${payment.kind} through ${payment.gateway}`,
      `  customer ${payment.customer} (${payment.customerId}), reseller ${payment.resellerId}`,
      `  invoices ${payment.invoices.join(', ') || 'none'}; at the gateway ${payment.remote ?? 'not known'}`,
      '',
      ...table(
        ['at (UTC)', 'from', 'to', 'cause'],
        payment.history.map((one) => [
          one.at.slice(0, 23).replace('T', ' '),
          one.from ?? '',
          one.to,
          one.cause,
        ]),
      ),
    ]);
    return 0;
  },
};

export const paymentsCommand: CommandGroup = {
  name: 'payments',
  summary: 'Payment attempts: what was tried, and what became of it.',
  actions: [list, show],
};
