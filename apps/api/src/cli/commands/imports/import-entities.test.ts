import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { entityNames } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import type { ImportReport } from '../../../features/imports/report/report.ts';
import { describedKind, describedKinds, templateOf } from '../../../features/imports/service.ts';

const commands = useCommands();
const { run, json, database } = commands;
const RESELLER = '7500';

const file = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(commands.folder, name);
  await writeFile(path, content);
  return path;
};
const take = async (...args: readonly string[]) => {
  const { code, out, err } = await run('import', '--json', '--reseller', RESELLER, ...args);
  if (out === '') throw new Error(err);
  const report = JSON.parse(out) as ImportReport;
  const counts = report.files.map((one) => [one.created, one.updated, one.unchanged, one.quarantined]);
  return { code, report, counts, reasons: report.quarantine.map(({ line, reason }) => `${line}: ${reason}`) };
};
const rows = async (text: string) => (await database.pool().query(text)).rows as Record<string, unknown>[];
const lines = (...of: readonly string[]) => `${of.join('\n')}\n`;

beforeAll(async () => {
  await rows(`insert into reseller (id, name) values (${RESELLER}, 'Harbour')`);
  await rows(
    `insert into brand (id, reseller_id, name, company_name, colours, time_zone)
     select 75001, ${RESELLER}, 'Harbour', 'Harbour', colours, 'Pacific/Auckland' from brand where id = 0`,
  );
});

describe('counterfoil import of files of every kind', () => {
  it('templates come in as they stand, whatever their order; a second time nothing changes', async () => {
    const paths: string[] = [];
    for (const kind of describedKinds()) paths.unshift(await file(`${kind.name}.csv`, templateOf(kind)));
    const { out } = await run('import', '--template', 'customers');
    expect(out).toBe(templateOf(describedKind('customers')).trimEnd().replace('\r\n', '\n'));
    const all = (counts: readonly number[]) => entityNames.map(() => counts);
    expect(await take(...paths)).toMatchObject({ code: 0, reasons: [], counts: all([1, 0, 0, 0]) });
    const again = await take(...paths);
    expect(again).toMatchObject({ code: 0, reasons: [], counts: all([0, 0, 1, 0]) });
    expect(again.report.files.map(({ format }) => format)).toEqual([...entityNames].reverse());
    expect(
      await rows(
        'select number, payable_minor::int, credited_minor::int from invoice where payable_minor > 0',
      ),
    ).toEqual([{ number: 'INV-1001', payable_minor: 11_500, credited_minor: 11_500 }]);
  });

  it('takes what a German program exports: columns by their names, Latin-1, decimal commas, days first', async () => {
    const customers = await file(
      'kunden.csv',
      Buffer.from(
        lines(
          'Kundennr.;Firma;E-Mail;Straße;PLZ;Ort;Land',
          'K-1;Müller & Söhne;post@mueller.example;Hauptstr. 1;20095;Hamburg;de',
          'K-2;"=1+1";;;;;',
        ),
        'latin1',
      ),
    );
    const invoices = await file(
      'rechnungen.csv',
      `\uFEFF${lines(
        'Rechnungsnummer;Kundennummer;Rechnungsdatum;Fälligkeit;Währung;Bezeichnung;Menge;Einzelpreis;Steuersatz;Steuerbetrag',
        'R-1;K-1;01.03.2026;15.03.2026;EUR;Anschluss;2;1.000,50;19;380,19',
        'R-1;K-1;01.03.2026;15.03.2026;EUR;Miete;1;10,00;19;1,90',
        'R-2;K-2;02.03.2026;;EUR;Miete;1;10,00;;',
      )}`,
    );
    expect(await take(invoices, customers)).toMatchObject({
      code: 0,
      reasons: [],
      counts: [
        [2, 0, 0, 0],
        [2, 0, 0, 0],
      ],
    });
    expect(
      await rows(
        "select label, address, country from customer where external_ref in ('K-1', 'K-2') order by external_ref",
      ),
    ).toEqual([
      {
        label: 'Müller & Söhne',
        address: { lines: ['Hauptstr. 1'], city: 'Hamburg', postalCode: '20095' },
        country: 'DE',
      },
      { label: '=1+1', address: { lines: [] }, country: null },
    ]);
    expect(
      await rows(
        "select number, issued_on::text, payable_minor::int, tax_minor::int from invoice where number like 'R-%' order by 1",
      ),
    ).toEqual([
      { number: 'R-1', issued_on: '2026-03-01', payable_minor: 239_309, tax_minor: 38_209 },
      { number: 'R-2', issued_on: '2026-03-02', payable_minor: 1_000, tax_minor: 0 },
    ]);
  });

  it('a dry run names what would change, and takes nothing in', async () => {
    const before = await file(
      'before.csv',
      lines('reference,label,email', 'D-1,Quay,a@x.example', 'D-2,Pier,'),
    );
    await take(before);
    const after = await file(
      'after.ndjson',
      '{"reference":"D-1","label":"Mole","email":"a@x.example"}\n{"reference":"D-2","label":"Pier"}\n{"reference":"D-3","label":"New"}\n{"reference":"D-4","label":""}\n',
    );
    const { report, counts } = await take('--kind', 'customers', '--dry-run', after);
    expect(counts).toEqual([[1, 1, 1, 1]]);
    expect(report).toMatchObject({
      dryRun: [
        {
          kind: 'customers',
          rows: [
            {
              line: 1,
              reference: 'D-1',
              becomes: 'changed',
              changes: [{ member: 'label', was: 'Quay', is: 'Mole' }],
            },
            { line: 3, reference: 'D-3', becomes: 'created' },
            { line: 4, becomes: 'refused', reason: expect.stringContaining('label') },
          ],
        },
      ],
    });
    expect(
      await rows("select label from customer where external_ref like 'D-%' order by external_ref"),
    ).toEqual([{ label: 'Quay' }, { label: 'Pier' }]);
  });

  it.each([
    ['nothing', '', 'the file is empty'],
    ['a page', '<html></html>', 'does not name its columns'],
    ['a file packed twice', gzipSync(gzipSync('reference,label\nB-1,x\n')), 'compressed'],
    ['an archive', Buffer.from('PK\u0003\u0004xxxxxxxx'), 'archive'],
    [
      'UTF-16 without its mark',
      Buffer.from(lines('reference,label', 'B-1,x'), 'utf16le'),
      'does not name its columns',
    ],
    ['no column of the name', lines('reference,colour', 'B-1,red'), 'no column is label'],
  ])('of %s nothing is taken, and the file is told of', async (_what, content, reason) => {
    const found = await take('--kind', 'customers', await file('bad.csv', content));
    expect(found).toMatchObject({ code: 3, counts: [[0, 0, 0, 1]] });
    expect(found.reasons.join()).toContain(reason);
  });

  it.each([
    [
      'dates',
      lines('reference,customer,issuedOn,currency,lines.name,lines.price', 'B-1,K-1,03/04/2026,EUR,x,1.00'),
      "'03/04/2026' may be a day of either",
      '--dates',
    ],
    [
      'decimal-mark',
      lines('reference;customer;issuedOn;currency;lines.name;lines.price', 'B-1;K-1;2026-03-01;EUR;x;1.234'),
      "'1.234' may have thousands",
      '--decimal-mark',
    ],
  ])('what only a person knows is asked for: %s', async (_what, content, reason, option) => {
    const path = await file('open.csv', content);
    const asked = await take('--kind', 'invoices', path);
    expect(asked.reasons.join()).toContain(reason);
    const answer = option === '--dates' ? 'dayFirst' : '.';
    expect(await take('--kind', 'invoices', option, answer, '--dry-run', path)).toMatchObject({
      counts: [[option === '--dates' ? 1 : 0, 0, 0, option === '--dates' ? 0 : 1]],
    });
  });

  it.each([
    [
      'half a file',
      ['H-1,One', '"H-2,Tw'],
      [1, 0, 0, 1],
      ['3: the line ends inside a quoted field; the file seems cut off'],
    ],
    [
      'a row of a megabyte',
      ['H-1,One', `H-2,"${'x'.repeat(1_000_000)}"`, 'H-3,Three'],
      [1, 0, 1, 1],
      ['3: the record is longer than 65536 characters'],
    ],
    ['cells that are too many', ['H-1,One,more'], [0, 0, 0, 1], ['2: 3 columns instead of 2']],
    ['bytes that are no text', ['H-4,\u0000'], [0, 0, 0, 1], ['2: column 2: contains a NUL byte']],
  ])('of a file with %s the good rows go in', async (_what, content, counts, reasons) => {
    const found = await take(await file('some.csv', lines('reference,label', ...content).trimEnd()));
    expect([found.counts, found.reasons]).toEqual([[counts], reasons]);
  });

  it.each([
    [
      'say different things of it',
      ['I-1,K-1,2026-03-01,EUR,a,1', 'I-1,K-1,2026-03-02,EUR,b,1'],
      '2: issuedOn is another in line 3 than in line 2',
    ],
    [
      'stand apart',
      ['I-2,K-1,2026-03-01,EUR,a,1', 'I-3,K-1,2026-03-01,EUR,a,1', 'I-2,K-1,2026-03-01,EUR,b,1'],
      '4: rows of I-2 stand apart in the file; sort it by reference',
    ],
    [
      'cannot be read',
      ['I-4,K-1,2026-03-01,EUR,a,1', 'I-4,K-1,2026-03-01,EUR,b,x'],
      "2: lines.price: 'x' is no number with '.' before its decimals",
    ],
    [
      'may be missing',
      ['I-5,K-1,2026-03-01,EUR,a,1', 'I-6,K-1', 'I-6,K-1,2026-03-01,EUR,b,1'],
      '2: 2 columns instead of 6',
    ],
  ])('an invoice whose rows %s is set aside as a whole', async (_what, content, reason) => {
    const { reasons } = await take(
      '--kind',
      'invoices',
      await file(
        'invoices.csv',
        lines('reference,customer,issuedOn,currency,lines.name,lines.price', ...content),
      ),
    );
    expect(reasons).toContain(reason);
    expect(await rows("select 1 from invoice where number in ('I-1', 'I-4', 'I-5', 'I-6')")).toEqual([]);
  });

  it('prints how a file is read; that is changed, and reads the file by its path or under its name', async () => {
    const path = await file('crm.csv', lines('Kundennr.;Firma;Umsatz', 'M-1;Mole;1,5'));
    const { mapping, unused } = await json<{ mapping: { columns: object }; unused: string[] }>(
      'import',
      '--show-columns',
      '--kind',
      'customers',
      path,
    );
    expect(unused).toEqual(['Umsatz']);
    const columns = { ...mapping.columns, country: { value: 'de' } };
    const own = await file('crm.json', JSON.stringify({ ...mapping, name: 'crm', columns }));
    expect((await take('--mapping', own, path)).counts).toEqual([[1, 0, 0, 0]]);
    await json('mapping', 'add', '--reseller', RESELLER, own);
    expect((await take('--mapping', 'crm', path)).counts).toEqual([[0, 0, 1, 0]]);
    expect(await rows("select label, country from customer where external_ref = 'M-1'")).toEqual([
      { label: 'Mole', country: 'DE' },
    ]);
    const other = await file('other.csv', lines('Kundennr.;Name', 'M-2;Pier'));
    const lacks = await take('--mapping', 'crm', other);
    expect([lacks.code, lacks.reasons]).toEqual([3, ["null: line 1 names no column 'Firma'"]]);
  });

  it.each([
    [
      'Xero',
      '*ContactName,EmailAddress,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*AccountCode,*TaxType,TaxAmount,Currency',
      [
        'Wool & Sons,,X-1,PO-7,2026-03-01,2026-03-15,FIB,Fibre,2,100.00,10,200,15% GST on Income,27.00,NZD',
        'Wool & Sons,,X-1,PO-7,2026-03-01,2026-03-15,,Rent,1,5.00,,200,15% GST on Income,0.75,NZD',
      ],
      { number: 'X-1', payable_minor: 21_275, tax_minor: 2_775 },
    ],
    [
      'QuickBooks',
      'InvoiceNo,Customer,InvoiceDate,DueDate,Terms,Location,Memo,Item(Product/Service),ItemDescription,ItemQuantity,ItemRate,ItemAmount,Currency',
      ['Q-1,Wool & Sons,13/03/2026,30/03/2026,Net 15,,Thanks,Fibre,Fibre 300,2,50.25,100.50,NZD'],
      { number: 'Q-1', payable_minor: 10_050, tax_minor: 0 },
    ],
  ])(
    'takes sales invoices as %s writes them, customers by their names',
    async (_what, header, content, invoice) => {
      await take(await file('wool.csv', lines('reference,label', 'WOOL,Wool & Sons')));
      const path = await file('sales.csv', lines(header, ...content));
      expect(await take('--kind', 'invoices', path)).toMatchObject({
        code: 0,
        reasons: [],
        counts: [[1, 0, 0, 0]],
      });
      expect(
        await rows(
          `select number, payable_minor::int, tax_minor::int from invoice where number = '${invoice.number}'`,
        ),
      ).toEqual([invoice]);
      expect((await take('--kind', 'invoices', path)).counts).toEqual([[0, 0, 1, 0]]);
    },
  );

  it('a row of a customer that is not known waits in quarantine, and goes in once the customer is', async () => {
    const path = await file('agreements.csv', lines('reference,customer,name', 'W-1,W,Waits'));
    expect(await take(path)).toMatchObject({ code: 3, reasons: ["2: no customer is known as 'W'"] });
    expect((await run('quarantine', 'list', '--reseller', RESELLER, '--reason', 'customer')).out).toContain(
      "no customer is known as 'W'",
    );
    const customer = await file('customer.csv', lines('reference,label', 'W,Wharf'));
    expect((await take(customer)).report.summary.takenFromQuarantine).toBe(1);
    expect(await rows("select name from agreement where external_ref = 'W-1'")).toEqual([{ name: 'Waits' }]);
    expect(await take(path)).toMatchObject({ counts: [[0, 0, 1, 0]] });
  });

  it('an import is undone as long as nothing depends on what it made', async () => {
    const importId = async () =>
      (await json<{ imports: { id: string }[] }>('import', 'list', '--limit', '1')).imports[0]?.id ?? '';
    const undo = async (id: string) => run('import', 'undo', id, '--note', 'the wrong file');
    await take(await file('u-customers.csv', lines('reference,label', 'U-1,One', 'U-2,Two')));
    const customers = await importId();
    await take(await file('u-agreements.csv', lines('reference,customer,name', 'UA-1,U-1,Voice')));
    const agreements = await importId();
    const held = await undo(customers);
    expect(held).toMatchObject({ code: 1, err: expect.stringContaining('U-1 is in use') });
    expect(await undo(agreements)).toMatchObject({ code: 0, out: 'Undone: 1 of 1 were taken out.' });
    expect(await undo(customers)).toMatchObject({ code: 0, out: 'Undone: 2 of 2 were taken out.' });
    expect(await rows("select 1 from customer where external_ref like 'U-%'")).toEqual([]);
    expect((await take(join(commands.folder, 'u-customers.csv'))).counts).toEqual([[2, 0, 0, 0]]);
  });
});
