import * as z from 'zod/mini';
import { calendarDay, cursor, customerNamed, nextCursor, pageLimit, said, textLine } from '../parts.ts';

/** Entries of bank statements, and what is done with them: `/v1/admin/bank-entries`. */

export const bankEntryStates = ['booked', 'suggested', 'unmatched', 'dismissed'] as const;
export type BankEntryState = (typeof bankEntryStates)[number];

/** What imports of bank statements are called: by the message of ISO 20022, or by a mapping of CSV. */
export const statementFormats = ['camt.053', 'bank-statement', 'sparkasse-camt'] as const;

/** Whether an import is of a bank statement, by its format. */
export const isStatementFormat = (format: string | null): boolean =>
  statementFormats.some((known) => known === format);

/** Why an entry is not booked by itself. */
export const bankEntryReasons = [
  'nothingNamed',
  'amount',
  'paid',
  'void',
  'disputed',
  'currency',
  'charging',
  'severalCustomers',
  'ambiguous',
  'customerNumber',
  'account',
  'name',
  'several',
  'returned',
  'notYet',
  'takenBack',
] as const;
export type BankEntryReason = (typeof bankEntryReasons)[number];

/** The same as people read it. */
export const bankEntryReasonTexts: Readonly<Record<BankEntryReason, string>> = {
  nothingNamed: 'It names no invoice and no customer that is known',
  amount: 'Its amount is not what is due of the invoices it names',
  paid: 'An invoice it names is paid or credited already',
  void: 'An invoice it names is void',
  disputed: 'An invoice it names is disputed',
  currency: 'An invoice it names is in another currency',
  charging: 'An invoice it names is being charged now',
  severalCustomers: 'It names invoices of several customers',
  ambiguous: 'It is not clear which invoice it names',
  customerNumber: 'It names a customer, and no invoice',
  account: 'Only the account it came from is known',
  name: 'Only the name of who paid is known',
  several: 'It stands for several transactions whose amounts the bank did not tell',
  returned: 'It is the return of an earlier transaction',
  notYet: 'Its day has not come yet',
  takenBack: 'Its booking was taken back',
};

const decimal = (what: string) => said(z.string(), `${what} An exact decimal, such as \`12.50\`.`);
const moment = (what: string) =>
  said(z.nullable(z.string()), `${what} ISO 8601 in UTC; null where that has not been.`);
const note = (what: string) => said(textLine(500), what);

/** Invoices, or a payment, that an entry may be about. */
export const bankEntryCandidate = z.object({
  customerId: said(z.uuid(), 'Our id of the customer.'),
  customer: said(z.string(), 'The name of the customer.'),
  by: said(
    z.enum(['number', 'customerNumber', 'account', 'name', 'reference']),
    'What of the entry names it: a number of an invoice, the number or the name of a customer, the account of who paid, the reference of an earlier entry.',
  ),
  fits: said(z.boolean(), 'What is due of all of them is the amount of the entry.'),
  invoices: said(
    z.array(
      z.object({
        id: said(z.uuid(), 'Its id here.'),
        number: said(z.string(), 'Its number.'),
        due: decimal('What is due of it now.'),
        currency: said(z.string(), 'ISO 4217.'),
      }),
    ),
    'Open invoices that it may pay; of a debit: those that the payment had paid.',
  ),
  paymentId: said(z.nullable(z.uuid()), 'Of a debit: the payment that it may take back.'),
});
export type BankEntryCandidate = z.infer<typeof bankEntryCandidate>;

/** An entry of a bank statement. */
export const bankEntry = z.object({
  id: said(z.uuid(), 'Its id here.'),
  importId: said(z.uuid(), 'The import that brought it first.'),
  fileName: said(z.nullable(z.string()), 'What the file was called.'),
  account: said(
    z.string(),
    'The provider’s own account: IBAN or what the bank calls it; empty where the file does not say.',
  ),
  sign: said(z.enum(['credit', 'debit']), '`credit`: money came in; `debit`: it went out.'),
  amount: decimal('How much, above nothing.'),
  currency: said(z.string(), 'ISO 4217.'),
  bookedOn: said(z.string(), 'The day of the statement.'),
  isReturn: said(z.boolean(), 'It takes back an earlier transaction.'),
  bankReference: said(z.string(), 'What the bank calls it.'),
  endToEndId: said(z.string(), 'What who paid calls it.'),
  creditorReference: said(z.string(), 'A structured reference, such as one of ISO 11649.'),
  remittance: said(z.string(), 'What it is for, as who paid wrote it.'),
  partyName: said(z.string(), 'Who paid, or was paid.'),
  partyAccount: said(z.string(), 'Their account.'),
  state: said(
    z.enum(bankEntryStates),
    '`booked`; `suggested`: a person decides among candidates; `unmatched`: nothing fits yet, and it is tried again; `dismissed`: it is none of the customers’ payments.',
  ),
  reasons: said(z.array(z.enum(bankEntryReasons)), 'Why it was not booked by itself.'),
  customerId: said(z.nullable(z.uuid()), 'Whose it is, where it is booked.'),
  customer: said(z.nullable(z.string()), 'The name of that customer.'),
  paymentId: said(
    z.nullable(z.uuid()),
    'The payment it was booked as; of a debit: the one that was taken back.',
  ),
  decidedBy: said(z.nullable(z.string()), 'Who decided it; null: nobody had to, or has yet.'),
  decidedAt: moment('When it was decided.'),
  note: said(z.string(), 'What they said about it.'),
});
export type BankEntry = z.infer<typeof bankEntry>;

/** An entry with what may be meant by it. */
export const bankEntryDetail = z.extend(bankEntry, {
  candidates: said(z.array(bankEntryCandidate), 'What may be meant, as the books are now.'),
});
export type BankEntryDetail = z.infer<typeof bankEntryDetail>;

export const bankEntryQuery = z.object({
  state: said(z.optional(z.enum(bankEntryStates)), 'Those in this state only.'),
  sign: said(z.optional(z.enum(['credit', 'debit'])), 'Money that came in, or that went out.'),
  customer: said(z.optional(customerNamed), 'Those that are booked to this customer.'),
  import: said(z.optional(z.uuid()), 'Those that this import has brought.'),
  from: said(z.optional(calendarDay), 'Booked on this day or later.'),
  to: said(z.optional(calendarDay), 'Booked on this day or earlier.'),
  limit: pageLimit,
  cursor,
});

export const bankEntryPage = z.object({ data: z.array(bankEntryDetail), nextCursor });

/** Body of `POST /v1/admin/bank-entries/{id}/book`. */
export const bankEntryBooking = z
  .strictObject({
    customer: said(z.optional(customerNamed), 'Of a credit: whose it is.'),
    invoices: said(
      z.optional(z.array(textLine(200)).check(z.minLength(1), z.maxLength(100))),
      'Numbers of invoices it pays, in this order; without them the open ones, the longest due first. What they cannot use becomes the customer’s credit.',
    ),
    payment: said(z.optional(z.uuid()), 'Of a debit: the payment from outside that it takes back.'),
    note: said(z._default(z.string().check(z.maxLength(500)), ''), 'Kept with it.'),
  })
  .check(z.meta({ examples: [{ customer: 'K-1001', invoices: ['INV-1001'] }] }));
export type BankEntryBooking = z.output<typeof bankEntryBooking>;

/** Body of `POST /v1/admin/bank-entries/{id}/dismiss`. */
export const bankEntryDismissal = z
  .strictObject({ note: note('Why it is none of the customers’ payments.') })
  .check(z.meta({ examples: [{ note: 'Interest of the bank' }] }));

/** Body of `POST /v1/admin/bank-entries/{id}/reopen`. */
export const bankEntryReopening = z
  .strictObject({ note: note('Why; kept in the audit trail.') })
  .check(z.meta({ examples: [{ note: 'Booked to the wrong customer' }] }));
