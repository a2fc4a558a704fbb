import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../test/bad-input/random.ts';
import { useBankFixture } from '../../../../test/fixtures/bank/bank-fixture.ts';
import { type SampleEntry, sampleCamt } from '../../../../test/fixtures/bank/sample-camt.ts';
import { counts, resellerId } from '../../../../test/fixtures/import-fixture.ts';
import { sql } from '../../../db/sql.ts';
import { matchWaiting } from '../../bank-entries/service.ts';

const fixture = useBankFixture();

/** What comes of an entry, beside the bills of the fixture. */
const cases: [name: string, entry: SampleEntry, state: string, more: object][] = [
  [
    'a number in a sentence',
    { text: 'Payment of invoice inv-1001, thanks' },
    'booked',
    { paid: ['INV-1001'] },
  ],
  ['a number in two lines', { text: ['Rechnung INV-1', '001'] }, 'booked', { paid: ['INV-1001'] }],
  ['without signs', { text: 'INV1001' }, 'booked', { paid: ['INV-1001'] }],
  [
    'two numbers by one transfer',
    { amount: '20.50', text: 'INV-1001/INV-1002' },
    'booked',
    { paid: ['INV-1001', 'INV-1002'] },
  ],
  ['a creditor reference', { creditorReference: 'RF06INV1001' }, 'booked', { paid: ['INV-1001'] }],
  ['the same in groups, as text', { text: 'RF06 INV1 001' }, 'booked', { paid: ['INV-1001'] }],
  ['the number of a document', { document: 'INV-1001' }, 'booked', { paid: ['INV-1001'] }],
  ['what the payer calls it', { endToEnd: 'INV-1001' }, 'booked', { paid: ['INV-1001'] }],
  ['within a longer word', { text: 'XINV-10019' }, 'unmatched', { reasons: ['nothingNamed'] }],
  ['too little', { amount: '11.99', text: 'INV-1001' }, 'suggested', { reasons: ['amount'] }],
  ['too much', { amount: '12.01', text: 'INV-1001' }, 'suggested', { reasons: ['amount'] }],
  ['one of two', { amount: '12.00', text: 'INV-1001 INV-1002' }, 'suggested', { reasons: ['amount'] }],
  [
    'of two customers',
    { amount: '24.00', text: 'INV-1001 M/77' },
    'suggested',
    { reasons: ['severalCustomers'] },
  ],
  ['another currency', { currency: 'USD', text: 'INV-1001' }, 'suggested', { reasons: ['currency'] }],
  ['paid before', { text: 'INV-1000' }, 'suggested', { reasons: ['paid', 'amount'] }],
  ['void', { text: 'INV-0999' }, 'suggested', { reasons: ['void'] }],
  ['being charged', { amount: '30.00', text: 'INV-1003' }, 'suggested', { reasons: ['charging'] }],
  [
    'the number of a customer',
    { text: 'customer K-4711' },
    'suggested',
    { reasons: ['customerNumber'], fits: true },
  ],
  ['only the name', { name: 'HARBOUR OFFICE' }, 'suggested', { reasons: ['name'], fits: true }],
  ['nothing', { text: 'thanks' }, 'unmatched', { reasons: ['nothingNamed'] }],
  [
    'a day to come',
    { text: 'INV-1001', day: '2026-04-03' },
    'suggested',
    { reasons: ['notYet'], fits: true },
  ],
  [
    'a return to the provider',
    { text: 'INV-1001', isReversal: true },
    'suggested',
    { reasons: ['returned'] },
  ],
  ['a batch without its parts', { text: 'INV-1001', batch: 2 }, 'suggested', { reasons: ['several'] }],
  ['not booked by the bank', { text: 'INV-1001', status: 'PDNG' }, 'none', {}],
  ['money that went out', { sign: 'DBIT', text: 'rent' }, 'none', {}],
  [
    'a returned debit nobody knows',
    { sign: 'DBIT', code: 'UPDD', text: 'x' },
    'unmatched',
    { reasons: ['returned'] },
  ],
];

describe('an entry of camt.053', () => {
  it.each(cases)('%s', async (_name, entry, state, more) => {
    await fixture.bills();
    await fixture.import(sampleCamt([entry]));
    const [first] = await fixture.entries();
    expect(first ?? { state: 'none' }).toMatchObject({ state, ...more });
    await fixture.checkBooks();
  });

  it.each(['02', '04', '08', '13'])(
    'reads the parts of a batch, and who paid, in version %s',
    async (version) => {
      await fixture.bills();
      const parts = [
        { amount: '12.00', text: 'INV-1001', name: 'Harbour', iban: 'NL91ABNA0417164300' },
        { amount: '8.50', text: 'INV-1002', name: 'Harbour', iban: 'NL91ABNA0417164300' },
      ];
      await fixture.import(sampleCamt([{ amount: '20.50', parts, batch: 2 }], version));
      expect(await fixture.entries()).toMatchObject([
        { state: 'booked', paid: ['INV-1001'], party: 'Harbour NL91ABNA0417164300' },
        { state: 'booked', paid: ['INV-1002'] },
      ]);
    },
  );
});

const plain = (text: string): SampleEntry => ({ text, amount: '1.00' });

describe('statements that come again', () => {
  it('change nothing, overlap, and tell equal transfers of one day apart', async () => {
    await fixture.bills();
    const days = ['2026-03-18', '2026-03-19', '2026-03-20'].map((day) => [
      { ...plain('same'), day },
      { ...plain('same'), day },
      { ...plain(`of ${day}`), day, reference: `B-${day}` },
    ]);
    const [one = [], two = [], three = []] = days;
    const file = sampleCamt([...one, ...two]);
    expect(counts(await fixture.import(file))).toEqual([[6, 0, 0, 0]]);
    expect(counts(await fixture.import(file))).toEqual([[0, 0, 6, 0]]);
    expect(counts(await fixture.import(sampleCamt([...two, ...three])))).toEqual([[3, 0, 3, 0]]);
    // The same of another account is something else.
    const other = sampleCamt([{ iban: 'NL91ABNA0417164300', entries: one }]);
    expect(counts(await fixture.import(other))).toEqual([[3, 0, 0, 0]]);
  });

  it('pay nothing twice, whatever one statement has', async () => {
    await fixture.bills();
    const twice = { text: 'INV-1001', day: '2026-03-18' };
    await fixture.import(sampleCamt([twice, twice, { ...twice, day: '2026-03-19', reference: 'other' }]));
    expect((await fixture.entries()).map(({ state }) => state).sort()).toEqual([
      'booked',
      'suggested',
      'suggested',
    ]);
    await fixture.checkBooks();
  });

  it('end as if they had come once where the import was killed, again and again', async () => {
    const numbers = Array.from({ length: 40 }, (_, at) => `KILL-${100 + at}`);
    await fixture.bill(numbers, '2.00');
    const path = await fixture.file(sampleCamt(numbers.map((text) => ({ text, amount: '2.00' }))));
    const program = fileURLToPath(
      new URL('../../../../test/processes/statement-process.ts', import.meta.url),
    );
    const inSoFar = async () => (await fixture.entries()).length;
    for (const until of [10, 25]) {
      const child = spawn(process.execPath, [program, fixture.databaseUrl, path, `${resellerId}`], {
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      while ((await inSoFar()) < until && child.exitCode === null) await sleep(5);
      child.kill('SIGKILL');
      expect((await ended)[1]).toBe('SIGKILL');
      await fixture.checkBooks();
    }
    const before = await inSoFar();
    expect(before).toBeLessThan(40);
    expect(counts(await fixture.run([path]))).toEqual([[40 - before, 0, before, 0]]);
    const entries = await fixture.entries();
    expect(entries.map(({ state, paid }) => [state, ...paid])).toEqual(
      numbers.map((number) => ['booked', number]),
    );
    await fixture.checkBooks();
  });
});

describe('whatever statements say, in whatever order, several at once', () => {
  it.each([1, 2])(
    'no invoice is paid over what is due, and what is booked is what was paid (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const numbers = Array.from({ length: 12 }, (_, at) => `P-${seed}0${at + 10}`);
      await fixture.bill(numbers, '5.00');
      const entry = (): SampleEntry => {
        const named = Array.from({ length: 1 + random.integer(3) }, () => numbers[random.integer(12)]);
        const amount = random.oneIn(3) ? `${1 + random.integer(20)}.00` : `${5 * new Set(named).size}.00`;
        return { amount, text: named.join(' / '), day: `2026-03-1${random.integer(4)}` };
      };
      const all = Array.from({ length: 24 }, entry);
      const files = ['DE89370400440532013000', 'NL91ABNA0417164300'].flatMap((iban) =>
        [all.slice(0, 16), all.slice(8), all].map((entries) => sampleCamt([{ iban, entries }])),
      );
      const paths = await Promise.all(files.map((content) => fixture.file(content)));
      await Promise.all([0, 1, 2, 3, 4, 5].map((at) => fixture.run([paths[at] ?? ''])));
      await fixture.checkBooks();
      const before = await fixture.entries();
      expect(before.filter(({ state }) => state === 'booked').length).toBeGreaterThan(3);
      const paid = before.flatMap((one) => one.paid);
      expect(paid.length).toBe(new Set(paid).size);
      await fixture.run(paths);
      expect(await fixture.entries()).toEqual(before);
    },
  );
});

describe('amounts', () => {
  it('are exact in the decimals of their currency, and those that are none are named with their line', async () => {
    await fixture.bill('YEN-1', '1200', { currency: 'JPY' });
    await fixture.bill('FILS-1', '1.234', { currency: 'KWD' });
    const report = await fixture.import(
      sampleCamt([
        { currency: 'JPY', amount: '1200', text: 'YEN-1' },
        { currency: 'KWD', amount: '1.234', text: 'FILS-1' },
        { currency: 'JPY', amount: '12.5', text: 'half a yen' },
        { currency: 'EUR', amount: '1,50', text: 'comma' },
        { currency: 'XXQ', amount: '1.50', text: 'unknown' },
        { currency: 'EUR', amount: '1.500', text: 'zeros' },
      ]),
    );
    expect(counts(report)).toEqual([[3, 0, 0, 3]]);
    expect(report.quarantine.map(({ reason }) => reason)).toEqual([
      "'12.5' is no amount of JPY",
      "'1,50' is no amount of EUR",
      "the currency 'XXQ' is not known",
    ]);
    expect((await fixture.entries()).map(({ amount, state }) => [amount, state]).sort()).toEqual([
      ['1200', 'booked'],
      ['1234', 'booked'],
      ['150', 'unmatched'],
    ]);
  });

  it('of a batch have to come to it; balances of a statement to its entries', async () => {
    await fixture.bills();
    const parts = [
      { amount: '12.00', text: 'INV-1001' },
      { amount: '8.00', text: 'INV-1002' },
    ];
    const report = await fixture.import(
      sampleCamt([{ opening: '100.00', closing: '120.00', entries: [{ amount: '20.50', parts, batch: 2 }] }]),
    );
    expect(await fixture.entries()).toMatchObject([{ state: 'suggested', reasons: ['several'] }]);
    expect(report.files[0]?.warnings).toEqual([
      'statement S-1: opening balance and entries come to 120.50, the closing balance is 120.00 EUR',
    ]);
  });
});

it('what came before its invoice is booked when the invoice comes, whatever becomes of another entry', async () => {
  const entries = [
    { text: 'BROKEN-1', amount: '8.00' },
    { text: 'LATE-1', amount: '9.00' },
  ];
  for (const entry of entries) await fixture.import(sampleCamt([entry]));
  await fixture.bill('LATE-1', '9.00');
  await fixture.db.transaction((tx) =>
    tx.execute(
      sql`update bank_entry set currency = 'QQQ', matched_at = '2026-01-01' where remittance = 'BROKEN-1'`,
    ),
  );
  const logged: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  const clock = { now: () => new Date('2026-04-01T10:30:00Z') };
  for (let times = 0; times < 2; times += 1) await matchWaiting({ db: fixture.db, clock, log });
  expect(logged).toEqual([expect.stringContaining('a bank entry could not be matched')]);
  expect(await fixture.entries()).toMatchObject([
    { state: 'unmatched' },
    { state: 'booked', paid: ['LATE-1'] },
  ]);
});

describe('a statement as CSV', () => {
  const own = (...rows: readonly string[]) =>
    [
      'booked_on,amount,currency,text,name,party_account,end_to_end_id,creditor_reference,bank_reference,account',
      ...rows,
      '',
    ].join('\n');

  it('of our own columns, and of a bank', async () => {
    await fixture.bills();
    const report = await fixture.import(
      own(
        '2026-03-20,12.00,EUR,INV-1001,Harbour,,,,R-1,DE1',
        '2026-03-20,"-4,000.00",EUR,rent,,,,,R-2,DE1',
        'soon,1,EUR,x,,,,,,',
      ),
    );
    expect(report.files).toMatchObject([
      {
        format: 'bank-statement',
        created: 1,
        quarantined: 1,
        statement: expect.stringContaining('1 booked'),
      },
    ]);
    expect(report.quarantine).toMatchObject([
      { line: 4, reason: "booked_on: 'soon' is no day written YYYY-MM-DD" },
    ]);
    const bank = [
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Kundenreferenz (End-to-End)";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"Betrag";"Waehrung";"Info"',
      '"DE2";"20.03.26";"20.03.26";"GUTSCHRIFT";"INV-1002";"";"Müller";"NL9";"8,50";"EUR";"Umsatz gebucht"',
    ];
    expect((await fixture.import(Buffer.from(bank.join('\r\n'), 'latin1'))).files).toMatchObject([
      { format: 'sparkasse-camt', created: 1 },
    ]);
    expect(await fixture.entries()).toMatchObject([
      { state: 'booked', paid: ['INV-1001'] },
      { state: 'booked', paid: ['INV-1002'], party: 'Müller NL9' },
    ]);
    await fixture.checkBooks();
  });

  it('by a mapping of somebody’s own', async () => {
    await fixture.bills();
    const mapping = await fixture.file(
      JSON.stringify({
        kind: 'bankStatement',
        name: 'two-columns',
        delimiter: ';',
        days: 'MM/DD/YYYY',
        decimal: ',',
        currency: 'EUR',
        columns: { bookedOn: 'Date', credit: 'In', debit: 'Out', remittance: ['What'] },
      }),
    );
    const file =
      'Date;What;In;Out\n3/20/2026;INV-1001;12,00;\n3/20/2026;fee;;1.000,50\n3/20/2026;wrong;1.00;\n';
    const report = await fixture.import(file, { mapping });
    expect(counts(report)).toEqual([[1, 0, 0, 1]]);
    expect(await fixture.entries()).toMatchObject([{ state: 'booked', paid: ['INV-1001'] }]);
  });
});

it('refuses messages that are no statements, with the reason', async () => {
  const report = async (content: string) => (await fixture.import(content)).quarantine[0]?.reason;
  const camt = sampleCamt([{ text: 'x' }]);
  expect(
    await report(camt.replaceAll('camt.053', 'camt.052').replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')),
  ).toContain('camt.052');
  expect(await report(camt.replaceAll('camt.053.001.08', 'camt.053.001.99'))).toContain(
    "'camt.053.001.99' is no bank statement",
  );
  expect(await report(camt.slice(0, 700))).toContain('cut off');
  expect(await report(camt.replace('<Document', '<!DOCTYPE a [<!ENTITY b "c">]><Document'))).toContain(
    'DOCTYPE',
  );
  expect(await fixture.db.many(sql`select 1 from bank_entry`)).toEqual([]);
});
