import {
  type BankEntryDetail,
  bankEntryBooking,
  bankEntryReasonTexts,
  bankEntryStates,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import type { Tx } from '../../../db/database.ts';
import { type BankEntryRow, listBankEntries } from '../../../features/bank-entries/queries.ts';
import {
  type BankEntryAct,
  type BankEntryAt,
  bookEntry,
  dismissEntry,
  reopenEntry,
  withCandidates,
} from '../../../features/bank-entries/service.ts';
import {
  checkedId,
  customerOption,
  limitOf,
  limitOption,
  needed,
  noWords,
  oneOf,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { type Command, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

const head = ['id', 'booked', 'amount', 'currency', 'state', 'name', 'text', 'why, or customer', 'may be'];

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 50) || '-';

const cells = (one: BankEntryDetail): readonly string[] => [
  one.id,
  one.bookedOn,
  `${one.sign === 'debit' ? '-' : ''}${one.amount}`,
  one.currency,
  one.state,
  oneLine(one.partyName),
  oneLine(one.remittance || one.creditorReference || one.endToEndId),
  one.customer ?? (one.reasons.map((reason) => bankEntryReasonTexts[reason]).join('; ') || one.note || '-'),
  one.candidates.map(mayBe).join(' | ') || '-',
];

const mayBe = ({ customer, invoices, paymentId }: BankEntryDetail['candidates'][number]): string =>
  `${customer}: ${invoices.map(({ number, due }) => `${number} (${due})`).join(', ')}${paymentId === null ? '' : ` payment ${paymentId}`}`;

/** @throws {UsageError} */
function atOf(invocation: Invocation): BankEntryAt {
  const [word, ...more] = invocation.positionals;
  if (word === undefined || more.length > 0)
    throw new UsageError("which entry? Give its id ('statement list' has it)");
  return { id: checkedId(word), resellerId: optionalNumber(invocation, 'reseller') };
}

const list: Command = {
  usage: '[--reseller <id>] [--state <name>] [--limit <n>]',
  options: {
    ...resellerOption,
    state: { type: 'string', value: '<name>', help: bankEntryStates.join(', ') },
    ...limitOption,
  },
  async run(invocation) {
    noWords(invocation);
    const filter = {
      resellerId: optionalNumber(invocation, 'reseller'),
      state: oneOf(invocation, 'state', bankEntryStates),
    };
    const entries = await withRuntime(async ({ databases: { web } }) =>
      withCandidates(web, await listBankEntries(web, { ...filter, limit: limitOf(invocation) })),
    );
    invocation.print(
      { entries },
      entries.length === 0 ? ['There are no entries of bank statements.'] : table(head, entries.map(cells)),
    );
    return 0;
  },
};

/** Carries a decision out and tells of the entry. */
async function decide(
  invocation: Invocation,
  change: (tx: Tx, act: BankEntryAct) => Promise<BankEntryRow>,
): Promise<0> {
  const [entry] = await inTransaction(async (tx, { clock }) =>
    withCandidates(tx, [await change(tx, { by: { actor: commandActor() }, now: clock.now() })]),
  );
  if (entry !== undefined) invocation.print(entry, table(head, [cells(entry)]));
  return 0;
}

const book: Command = {
  usage: '<id> --customer <id or ref> [--invoice <number> …] [--note <text>], or <id> --payment <id>',
  details: [
    'A credit becomes a payment from outside: it pays the invoices that are named, else the open ones, the longest due first; what',
    'they cannot use is the customer’s credit. A debit takes a payment from outside back, whose invoices are due again.',
  ],
  options: {
    ...resellerOption,
    ...customerOption,
    invoice: { type: 'string', value: '<number>', multiple: true, help: 'an invoice that it pays' },
    payment: { type: 'string', value: '<id>', help: 'of a debit: what it takes back' },
    note: { type: 'string', help: 'kept with it' },
  },
  run(invocation) {
    const at = atOf(invocation);
    const invoices = invocation.texts('invoice');
    const [customer, payment] = [invocation.text('customer'), invocation.text('payment')];
    if ((customer === undefined) === (payment === undefined))
      throw new UsageError('give --customer, or --payment for a debit');
    const wanted = bankEntryBooking.parse({
      ...(customer !== undefined && { customer }),
      ...(payment !== undefined && { payment: checkedId(payment) }),
      ...(invoices.length > 0 && { invoices }),
      note: invocation.text('note') ?? '',
    });
    return decide(invocation, (tx, act) => bookEntry(tx, at, wanted, act));
  },
};

const noteOption = {
  note: { type: 'string', value: '<text>', help: 'why; kept in the audit trail' },
} as const;

const dismiss: Command = {
  usage: '<id> --note <text>',
  options: { ...resellerOption, ...noteOption },
  run(invocation) {
    const at = atOf(invocation);
    const note = needed(invocation, 'note');
    return decide(invocation, (tx, act) => dismissEntry(tx, at, note, act));
  },
};

const reopen: Command = {
  usage: '<id> --note <text>',
  details: [
    'The payment is taken back, and its invoices are due again. The entry is not booked by itself any more.',
  ],
  options: { ...resellerOption, ...noteOption },
  run(invocation) {
    const at = atOf(invocation);
    const note = needed(invocation, 'note');
    return decide(invocation, (tx, act) => reopenEntry(tx, at, note, act));
  },
};

export const actions = { list, book, dismiss, reopen };
