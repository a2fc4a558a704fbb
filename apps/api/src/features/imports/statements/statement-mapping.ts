import * as z from 'zod/mini';

/** How a bank writes days. */
const days = [
  'YYYY-MM-DD',
  'YYYYMMDD',
  'DD.MM.YYYY',
  'DD.MM.YY',
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'MM/DD/YYYY',
] as const;
export type DayForm = (typeof days)[number];

const column = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));
const maybe = z.optional(column);

/** How the rows of a bank's CSV become entries. Columns are named as in the header, whatever capitals it has. */
export const statementMapping = z
  .strictObject({
    kind: z.literal('bankStatement'),
    name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/)),
    title: z._default(z.string().check(z.maxLength(200)), ''),
    delimiter: z._default(z.enum([',', ';', '\t', '|']), ','),
    encoding: z._default(z.enum(['utf-8', 'utf-16', 'latin-1']), 'utf-8'),
    /** How days are written. */
    days: z._default(z.enum(days), 'YYYY-MM-DD'),
    decimal: z._default(z.enum(['.', ',']), '.'),
    columns: z.strictObject({
      bookedOn: column,
      /** Below nothing for what went out; else `credit` and `debit`. */
      amount: maybe,
      credit: maybe,
      debit: maybe,
      currency: maybe,
      /** What it is for, of one column or several. */
      remittance: z.array(column).check(z.minLength(1), z.maxLength(10)),
      partyName: maybe,
      partyAccount: maybe,
      endToEndId: maybe,
      creditorReference: maybe,
      /** What the bank calls the transaction. */
      bankReference: maybe,
      /** The provider's own account. */
      account: maybe,
    }),
    /** Where no column has it. */
    currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
    account: z.optional(z.string().check(z.maxLength(70))),
  })
  .check(
    z.refine(({ columns: { amount, credit } }) => (amount === undefined) !== (credit === undefined), {
      error: 'either amount or credit (with debit) has to be named',
    }),
    z.refine(({ columns, currency }) => columns.currency !== undefined || currency !== undefined, {
      error: 'a column of the currency, or the currency itself, has to be named',
    }),
  );
export type StatementMapping = z.output<typeof statementMapping>;

/** Mappings of our own template and of banks whose files say all that is needed. */
export const readyStatementMappings: readonly StatementMapping[] = (
  [
    {
      kind: 'bankStatement',
      name: 'bank-statement',
      title: 'Bank statement, our own columns',
      columns: {
        bookedOn: 'booked_on',
        amount: 'amount',
        currency: 'currency',
        remittance: ['text'],
        partyName: 'name',
        partyAccount: 'party_account',
        endToEndId: 'end_to_end_id',
        creditorReference: 'creditor_reference',
        bankReference: 'bank_reference',
        account: 'account',
      },
    },
    {
      kind: 'bankStatement',
      name: 'sparkasse-camt',
      title: 'Sparkasse, CSV-CAMT',
      delimiter: ';',
      encoding: 'latin-1',
      days: 'DD.MM.YY',
      decimal: ',',
      columns: {
        account: 'Auftragskonto',
        bookedOn: 'Buchungstag',
        remittance: ['Verwendungszweck'],
        endToEndId: 'Kundenreferenz (End-to-End)',
        partyName: 'Beguenstigter/Zahlungspflichtiger',
        partyAccount: 'Kontonummer/IBAN',
        amount: 'Betrag',
        currency: 'Waehrung',
      },
    },
  ] as const
).map((one) => statementMapping.parse(one));

/** A ready one by its name. */
export const readyStatementMapping = (name: string): StatementMapping | undefined =>
  readyStatementMappings.find((one) => one.name === name);

const folded = (name: string): string => name.trim().toLowerCase();

/** Every column that a mapping names. */
const namesOf = ({ columns }: StatementMapping): readonly string[] =>
  Object.values(columns).flatMap((value) => value ?? []);

/** Where the columns stand, by their folded names; or the one that is missing. */
export function columnsOf(
  mapping: StatementMapping,
  header: readonly string[],
): ReadonlyMap<string, number> | { readonly missing: string } {
  const at = new Map(header.map((name, index) => [folded(name), index]));
  const missing = namesOf(mapping).find((name) => !at.has(folded(name)));
  return missing === undefined ? at : { missing };
}

/** Of columns that {@link columnsOf} found. */
export const valueIn = (
  at: ReadonlyMap<string, number>,
  fields: readonly string[],
  name: string | undefined,
): string => (name === undefined ? '' : (fields[at.get(folded(name)) ?? -1] ?? '').trim());
