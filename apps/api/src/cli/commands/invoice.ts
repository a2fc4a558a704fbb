import { writeFile } from 'node:fs/promises';
import {
  invoiceKinds,
  invoiceSettlement,
  invoiceStates,
} from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { externalMethods } from '@counterfoil/contract/operator/paying/external-payments.ts';
import { invoiceStatusNamed } from '@counterfoil/domain/paying/invoice.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { isDay } from '@counterfoil/domain/time/day.ts';
import * as z from 'zod/mini';
import type { Db, Tx } from '../../db/database.ts';
import {
  type AdminInvoiceRow,
  findInvoicesNamed,
  type InvoiceFilter,
  listInvoiceLines,
  listInvoices,
} from '../../features/admin-invoices/queries.ts';
import {
  disputeInvoice,
  type InvoiceAct,
  type InvoiceAt,
  presentInvoice,
  presentInvoiceDetail,
  reopenInvoice,
  settleInvoice,
  voidInvoice,
} from '../../features/admin-invoices/service.ts';
import { checkInvoice, ownerOf, ublOf } from '../../features/e-invoices/service.ts';
import { correctFromQuarantine } from '../../features/imports/service.ts';
import { openFileStore } from '../../files/open-file-store.ts';
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
} from '../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../command.ts';
import { customerNamed } from '../customer-named.ts';
import { commandActor } from '../record-command.ts';
import { inTransaction, withLinks, withRuntime } from '../with-runtime.ts';

const dayOption = (help: string) =>
  ({
    type: 'string',
    value: '<day>',
    help,
    check: (name: string, text: string) => {
      if (!isDay(text)) throw new UsageError(`--${name} takes a day such as 2026-03-15, not '${text}'`);
    },
  }) as const;

const filterOptions = {
  ...resellerOption,
  ...customerOption,
  number: { type: 'string', help: 'only those with this number' },
  kind: { type: 'string', help: invoiceKinds.join(' or ') },
  status: { type: 'string', help: invoiceStates.join(', ') },
  'issued-from': dayOption('issued on this day or later'),
  'issued-to': dayOption('issued on this day or before'),
  'due-from': dayOption('due on this day or later'),
  'due-to': dayOption('due on this day or before'),
  period: dayOption('whose billing period has this day in it'),
  ...limitOption,
} as const;

const list: Command = {
  usage:
    '[--reseller <id>] [--customer <id or ref>] [--status <status>] [--number <number>] [--due-to <day>] …',
  details: ['What came in last stands first.'],
  options: filterOptions,
  async run(invocation) {
    noWords(invocation);
    const status = oneOf(invocation, 'status', invoiceStates);
    const name = invocation.text('customer');
    const filter: InvoiceFilter = {
      resellerId: optionalNumber(invocation, 'reseller'),
      number: invocation.text('number'),
      kind: oneOf(invocation, 'kind', invoiceKinds),
      status: status && invoiceStatusNamed[status],
      issuedFrom: invocation.text('issued-from'),
      issuedTo: invocation.text('issued-to'),
      dueFrom: invocation.text('due-from'),
      dueTo: invocation.text('due-to'),
      period: invocation.text('period'),
      limit: limitOf(invocation),
    };
    const rows = await withRuntime(async ({ databases: { exports } }) => {
      const customerId =
        name === undefined ? undefined : await customerNamed(exports, name, filter.resellerId);
      return listInvoices(exports, { ...filter, customerId });
    });
    const invoices = rows.map(presentInvoice);
    invocation.print(
      { invoices },
      table(
        ['issued', 'due on', 'number', 'status', 'payable', 'due', 'currency', 'customer', 'id'],
        invoices.map((one) => [
          one.issuedOn,
          one.dueOn ?? '',
          one.kind === 'invoice' ? one.number : `${one.number} (credit note)`,
          one.status,
          one.payable,
          one.due,
          one.currency,
          one.customer,
          one.id,
        ]),
      ),
    );
    return 0;
  },
};

const whichOptions = { ...resellerOption, ...customerOption } as const;

/** The invoice that the one word of a command names. @throws {UsageError} @throws {CommandError} */
async function invoiceNamed(db: Db, invocation: Invocation): Promise<AdminInvoiceRow> {
  const [name, ...more] = invocation.positionals;
  if (name === undefined || more.length > 0) throw new UsageError('give one invoice, by its number or id');
  const resellerId = optionalNumber(invocation, 'reseller');
  const customer = invocation.text('customer');
  const customerId = customer === undefined ? undefined : await customerNamed(db, customer, resellerId);
  const [found, other] = await findInvoicesNamed(db, name, { resellerId, customerId });
  if (found === undefined) throw new CommandError(`there is no invoice ${name}`);
  if (other !== undefined)
    throw new CommandError(
      `there are several invoices ${name}; give the id of one (invoice list --number ${name})`,
    );
  return found;
}

const show: Command = {
  usage: '<number or id> [--reseller <id>] [--customer <id or ref>]',
  options: whichOptions,
  async run(invocation) {
    const invoice = await withRuntime(async ({ databases: { web } }) => {
      const row = await invoiceNamed(web, invocation);
      return presentInvoiceDetail(row, await listInvoiceLines(web, row));
    });
    const { currency } = invoice;
    invocation.print(invoice, [
      `${invoice.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${invoice.number}  ${invoice.status}`,
      `  id ${invoice.id}, customer ${invoice.customer} (${invoice.customerId})`,
      `  issued ${invoice.issuedOn}, due ${invoice.dueOn ?? 'on no day'}, period ${invoice.periodFrom ?? '–'} to ${invoice.periodTo ?? '–'}`,
      `  ${invoice.subtotal} + tax ${invoice.tax} = ${invoice.total}; rounding ${invoice.rounding}, prepaid ${invoice.prepaid}: payable ${invoice.payable} ${currency}`,
      `  paid ${invoice.paid}, credited ${invoice.credited}, reversed ${invoice.reversed}, being paid ${invoice.beingPaid}: due ${invoice.due} ${currency}`,
      '',
      ...table(
        ['', 'what', 'service item', 'quantity', 'price', 'amount', 'tax'],
        invoice.lines.map((line) => [
          `${line.lineNo}`,
          line.name,
          line.serviceItem,
          line.quantity,
          line.price,
          line.amount,
          line.tax,
        ]),
      ),
    ]);
    return 0;
  },
};

/** Changes where an invoice stands, with a note. */
const change = (
  run: (tx: Tx, at: InvoiceAt, act: InvoiceAct) => Promise<AdminInvoiceRow>,
  details: readonly string[],
): Command => ({
  usage: '<number or id> --note <why>',
  details,
  options: {
    ...whichOptions,
    note: { type: 'string', value: '<why>', help: 'kept in the audit trail' },
  },
  async run(invocation) {
    const note = needed(invocation, 'note').trim();
    const row = await inTransaction(async (tx, { clock }) => {
      const { id, reseller_id: resellerId } = await invoiceNamed(tx, invocation);
      return run(tx, { id, resellerId }, { note, by: { actor: commandActor() }, now: clock.now() });
    });
    const invoice = presentInvoice(row);
    invocation.print(invoice, [`Invoice ${invoice.number}  ${invoice.status}`]);
    return 0;
  },
});

const settle: Command = {
  usage: '<number or id> --reference <text> --received <day>',
  details: [
    "What is still due of it is booked as by 'payments add'; 'payments void' takes it back. The same reference again",
    'books nothing.',
  ],
  options: {
    ...whichOptions,
    reference: { type: 'string', help: 'your own name of the payment, such as that of the bank statement' },
    received: dayOption('when the money came, such as 2026-03-15'),
    method: { type: 'string', help: `${externalMethods.join(', ')} (bankTransfer)` },
    note: { type: 'string', help: 'kept with the payment' },
  },
  async run(invocation) {
    const read = z.safeParse(invoiceSettlement, {
      reference: needed(invocation, 'reference'),
      receivedOn: needed(invocation, 'received'),
      method: oneOf(invocation, 'method', externalMethods) ?? 'bankTransfer',
      note: invocation.text('note') ?? '',
    });
    if (!read.success) throw new UsageError(read.error.issues[0]?.message ?? 'not valid');
    const row = await inTransaction(async (tx, { clock }) => {
      const { id, reseller_id: resellerId } = await invoiceNamed(tx, invocation);
      const act = { by: { actor: commandActor() }, now: clock.now() };
      return settleInvoice(tx, { id, resellerId }, read.data, act);
    });
    const invoice = presentInvoice(row);
    invocation.print(invoice, [`Invoice ${invoice.number}  ${invoice.status}`]);
    return 0;
  },
};

const correct: Command = {
  usage: '<quarantine id> --note <why>',
  details: [
    'Takes an invoice that waits, because it differs from the one in the books, in its place (quarantine list --reason',
    'differs). What was paid and credited stays; it cannot ask for less than that.',
  ],
  options: {
    ...resellerOption,
    note: { type: 'string', value: '<why>', help: 'kept in the audit trail' },
  },
  async run(invocation) {
    const [word, ...more] = invocation.positionals;
    if (word === undefined || more.length > 0) throw new UsageError('give one id (quarantine list)');
    const at = { id: checkedId(word), resellerId: optionalNumber(invocation, 'reseller') };
    const correction = { note: needed(invocation, 'note').trim(), by: { actor: commandActor() } };
    const invoice = await withLinks(({ databases, secrets, config, clock }) => {
      const files = openFileStore(config.filesUrl, config.s3);
      const deps = { db: databases.web, files, secrets, publicUrl: config.publicUrl, now: clock.now() };
      return correctFromQuarantine(deps, at, correction);
    });
    const { number, total, currency } = invoice;
    invocation.print(invoice, [`Invoice ${number} corrected: ${total} ${currency}`]);
    return 0;
  },
};

const eInvoice: Command = {
  usage: '<number or id> [--check] [--out <file>] [--reseller <id>] [--customer <id or ref>]',
  details: [
    'Writes an invoice as UBL 2.1 (Peppol BIS Billing 3) to a file. --check only says what keeps it from being an e-invoice;',
    'that is also said where something does. Facts about the provider are settings of its brand (eInvoice).',
    'Exit codes: 0 it keeps to the rules, 1 it does not.',
  ],
  options: {
    ...whichOptions,
    check: { type: 'boolean', help: 'write nothing' },
    out: { type: 'string', value: '<file>', help: 'where to; invoice_<number>.xml where not given' },
  },
  async run(invocation) {
    const { number, report, xml } = await withRuntime(async ({ databases: { web } }) => {
      const { id, reseller_id: resellerId, number } = await invoiceNamed(web, invocation);
      const scope = await ownerOf(web, resellerId, id);
      const report = await checkInvoice(web, scope, id);
      const isWanted = report.ubl && !invocation.flag('check');
      return { number, report, xml: isWanted ? (await ublOf(web, scope, id, 'provider')).xml : undefined };
    });
    const out = invocation.text('out') ?? safeFileName(`invoice_${number}.xml`);
    if (xml !== undefined) await writeFile(out, xml);
    const said = (isRight: boolean): string => (isRight ? 'yes' : 'no');
    invocation.print({ number, ...report }, [
      `UBL (Peppol BIS Billing 3): ${said(report.ubl)}; Factur-X: ${said(report.facturX)}`,
      ...report.findings.map(({ rule, text }) => `  ${rule}: ${text}`),
      ...(report.isOffered
        ? []
        : ['Customers are not offered e-invoices (brand setting eInvoice.isOffered).']),
      ...(xml === undefined ? [] : [`Written to ${out}`]),
    ]);
    return report.ubl ? 0 : 1;
  },
};

export const actions = {
  'e-invoice': eInvoice,
  list,
  show,
  correct,
  void: change(voidInvoice, [
    'Nothing is asked for by a void invoice, and no sum has it. One that was paid or credited is refused: send a credit note.',
  ]),
  dispute: change(disputeInvoice, [
    'It is owed, but neither the portal nor Auto-Pay charges it until it is reopened.',
  ]),
  reopen: change(reopenInvoice, ['Takes back that an invoice is void or disputed.']),
  settle,
};
