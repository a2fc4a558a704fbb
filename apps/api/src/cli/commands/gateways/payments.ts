import { attemptStates } from '@counterfoil/domain/paying/attempt.ts';
import { csvDecimal, csvRow } from '@counterfoil/domain/text/csv.ts';
import {
  findPayment,
  listPayments,
  type Payment,
  type PaymentFilter,
  type PaymentHistory,
} from '../../../features/admin-payments/queries.ts';
import {
  customerOption,
  limitOf,
  limitOption,
  noWords,
  oneOf,
  optionalMoment,
  optionalNumber,
  resellerOption,
  sinceOption,
  untilOption,
} from '../../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { customerNamed } from '../../customer-named.ts';
import { withRuntime } from '../../with-runtime.ts';

/** The state, and what of it is not as it should be. */
const stateOf = ({ direction, state, lost, wentBack, amount, captured }: Payment): string =>
  [
    direction === 'charge' ? state : `${direction} ${state}`,
    ...(captured === null || (state === 'succeeded' && captured === amount) ? [] : [`${captured} taken`]),
    ...(lost === null ? [] : [`lost ${lost}`]),
    ...(wentBack === null ? [] : [`${wentBack} went back`]),
  ].join(', ');

const rowOf = (one: Payment): readonly string[] => [
  one.sentAt.slice(0, 19).replace('T', ' '),
  one.ref,
  stateOf(one),
  one.amount,
  one.currency,
  `${one.resellerId}`,
  one.gateway,
  one.invoices.join(' ') || (one.of ?? ''),
  one.customer,
];

const filterOptions = {
  ...resellerOption,
  ...customerOption,
  invoice: { type: 'string', value: '<number>', help: 'only those that pay this invoice' },
  gateway: { type: 'string', value: '<name>', help: 'only those through this gateway, such as stripe' },
  reference: { type: 'string', help: 'only the one that the gateway knows by this reference' },
  state: { type: 'string', help: attemptStates.join(', ') },
  open: {
    type: 'boolean',
    help: 'only those that wait: their end is not known, those that need review included, or a loss was not seen to',
  },
  ...sinceOption,
  ...untilOption,
  ...limitOption,
} as const;

type Filter = Omit<PaymentFilter, 'customerId'> & { readonly customer: string | undefined };

/** @throws {UsageError} */
function filterOf(invocation: Invocation, standardLimit?: number): Filter {
  noWords(invocation);
  const state = oneOf(invocation, 'state', attemptStates);
  return {
    resellerId: optionalNumber(invocation, 'reseller'),
    customer: invocation.text('customer'),
    invoice: invocation.text('invoice'),
    gateway: invocation.text('gateway'),
    reference: invocation.text('reference'),
    state,
    isOpen: invocation.flag('open'),
    since: optionalMoment(invocation, 'since'),
    until: optionalMoment(invocation, 'until'),
    limit: limitOf(invocation, standardLimit),
  };
}

const read = ({ customer, ...filter }: Filter) =>
  withRuntime(async ({ databases: { exports } }) => {
    const { resellerId } = filter;
    const customerId =
      customer === undefined ? undefined : await customerNamed(exports, customer, resellerId);
    return listPayments(exports, { ...filter, customerId });
  });

const list: Command = {
  usage:
    '[--open] [--state <state>] [--reseller <id>] [--customer <id or ref>] [--invoice <number>] [--since <when>] [--until <when>]',
  options: filterOptions,
  async run(invocation) {
    const payments = await read(filterOf(invocation));
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

const exported = [
  'id',
  'ref',
  'direction',
  'of',
  'state',
  'amount',
  'fee',
  'currency',
  'kind',
  'method',
  'gateway',
  'remote',
  'resellerId',
  'customerId',
  'customer',
  'invoices',
  'sentAt',
  'updatedAt',
  'captured',
  'capturedFee',
] as const;

function csvOf(one: Payment): string {
  const decimals: readonly string[] = ['amount', 'fee', 'captured', 'capturedFee'];
  return csvRow(
    exported.map((name) => {
      const value: unknown = one[name as keyof Payment];
      if (Array.isArray(value)) return value.join(' ');
      if (decimals.includes(name) && value !== null) return csvDecimal(String(value));
      return typeof value === 'number' || value === null ? value : String(value);
    }),
  ).trimEnd();
}

const exportAll: Command = {
  usage: '[--format csv|ndjson] [the filters of list]',
  details: ['At most --limit of them, newest first. With --json one document instead of lines.'],
  options: {
    ...filterOptions,
    format: { type: 'string', value: '<format>', help: 'csv or ndjson (csv)' },
  },
  async run(invocation) {
    const filter = filterOf(invocation, 100_000);
    const format = invocation.text('format') ?? 'csv';
    if (format !== 'csv' && format !== 'ndjson') throw new UsageError('--format is csv or ndjson');
    const payments = await read(filter);
    invocation.print(
      { payments },
      format === 'csv'
        ? [csvRow([...exported]).trimEnd(), ...payments.map(csvOf)]
        : payments.map((one) => JSON.stringify(one)),
    );
    return 0;
  },
};

const evidenceOf = (evidence: PaymentHistory['history'][number]['evidence']): string =>
  Object.entries(evidence)
    .filter(([name]) => name !== 'is')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

const show: Command = {
  usage: '<reference or id>',
  options: {},
  async run(invocation) {
    const [ref, ...more] = invocation.positionals;
    if (ref === undefined || more.length > 0) throw new UsageError('give one reference');
    const payment = await withRuntime(({ databases }) => findPayment(databases.web, ref));
    if (payment === undefined) throw new CommandError(`there is no payment ${ref}`);
    const { capture, agreed } = payment;
    invocation.print(payment, [
      `${payment.ref}  ${payment.state}`,
      `  ${payment.direction === 'charge' ? 'payment' : `${payment.direction} of ${payment.of ?? 'an unknown payment'}`}, id ${payment.id}`,
      `  ${payment.amount} ${payment.currency}, of which fee ${payment.fee}, by ${payment.method ?? payment.kind} through ${payment.gateway}`,
      ...(payment.wentBack === null
        ? []
        : [`  ${payment.wentBack} went back, not what was ordered; what is left can be ordered again`]),
      `  customer ${payment.customer} (${payment.customerId}), reseller ${payment.resellerId}`,
      `  invoices ${payment.invoices.join(', ') || 'none'}; at the gateway ${payment.remote ?? 'not known'}`,
      ...(agreed === null
        ? []
        : [
            `  ${agreed.by} agreed at ${agreed.at.slice(0, 19).replace('T', ' ')} UTC from ${agreed.address}:`,
            ...agreed.text.split('\n').map((line) => `    ${line}`),
          ]),
      ...(capture === null
        ? []
        : [
            `  taken ${capture.amount}, of which fee ${payment.capturedFee ?? '0'}, refunded ${capture.refunded}, of which fee ${capture.feeRefunded}, lost ${capture.lost}; capture ${capture.id}`,
          ]),
      ...(payment.lost === null
        ? []
        : [
            `  Its gateway took back ${payment.lost} more than the payment. Look there: contest it, or ask the payer.`,
            `  Then: payments resolve ${payment.ref} --lost --note <what was done>. What comes back is booked by itself.`,
          ]),
      ...payment.reversals.map(
        (one) =>
          `  ${one.at.slice(0, 19).replace('T', ' ')} ${one.kind} ${one.amount}, of which fee ${one.fee}, ${one.remote}`,
      ),
      '',
      ...table(
        ['at (UTC)', 'from', 'to', 'cause', 'evidence'],
        payment.history.map((one) => [
          one.at.slice(0, 23).replace('T', ' '),
          one.from ?? '',
          one.to,
          one.cause,
          evidenceOf(one.evidence),
        ]),
      ),
    ]);
    return 0;
  },
};

export const actions = { list, show, export: exportAll };
