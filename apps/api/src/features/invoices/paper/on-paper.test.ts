import { describe, expect, it } from 'vitest';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { nodesOf, type ReadPdf, readPdf } from '../../../pdf/read-pdf.ts';

const fixture = useFixture();
const run = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);

interface Line {
  readonly name: string;
  readonly minor: number;
  readonly unit?: string;
  readonly quantity?: number;
}

async function billed(lines: readonly Line[], settings: object = {}) {
  const person = await signedIn(fixture);
  const { id, resellerId } = person.customer;
  const invoice = await fixture.seedPayable(person.customer);
  const subtotal = lines.reduce((sum, { minor }) => sum + minor, 0);
  const taxes = [
    { category: 'S', percent: '10', taxableMinor: subtotal - 100, taxMinor: 1_000 },
    { category: 'Z', percent: '0', taxableMinor: 100, taxMinor: 0 },
  ];
  await run(
    `update invoice set subtotal_minor = $2::bigint, tax_minor = 1000, total_minor = $2::bigint + 1000, payable_minor = $2::bigint + 1000,
            taxes = $3 where id = $1`,
    [invoice.id, subtotal, JSON.stringify(taxes)],
  );
  for (const [at, { name, minor, unit = 'C62', quantity = 1 }] of lines.entries())
    await run(
      `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, unit, price, currency, amount_minor)
       values ($1, gen_random_uuid(), $2, $3, 'line', $4, $5, $6, $7::numeric / 100, 'USD', $7::bigint)`,
      [id, invoice.id, at + 1, name, quantity, unit, minor],
    );
  await run('update brand set settings = settings || $2 where reseller_id = $1', [
    resellerId,
    JSON.stringify(settings),
  ]);
  const paper = async () => readPdf((await person.get(`/v1/ec/invoices/${invoice.id}`)).rawPayload);
  return { person, invoice, paper };
}

const tableOf = ({ pages }: ReadPdf, page = 0) =>
  nodesOf(nodesOf(pages[page]?.structure, 'Table')[0], 'TR').map((row) =>
    row.children.map(({ text }) => text),
  );
const bankDetails = ['IBAN DE02'];
const paymentInstructions = 'Cheques to Box 12\nCash at any shop';
const cents = (shown = ''): number => Number(shown.replace('−', '-').replace(/[^\d-]/g, ''));

describe('an invoice on paper', () => {
  it('says few lines as they are: quantities with units, taxes with their base, sums that add up', async () => {
    const { paper } = await billed([
      { name: 'Line rental', minor: 2_000, unit: 'MON' },
      { name: 'National calls', minor: 350, unit: 'SEC', quantity: 9_431 },
      { name: 'Mobile data', minor: 650, unit: '4L', quantity: 41_700 },
    ]);
    const pdf = await paper();
    expect(pdf.pages).toHaveLength(1);
    const rows = tableOf(pdf);
    expect(rows.map((row) => row.slice(0, 3).join(' ').trim())).toEqual([
      'Product Quantity Unit',
      'Fixed charges',
      'Line rental 1 month',
      'Usage',
      'National calls 2:37:11 h:mm:ss',
      'Mobile data 41,700 MB',
      'Subtotal',
      'Tax 10% on $29.00',
      'Tax 0% on $1.00',
      'Invoice total',
      expect.stringMatching(/^Amount due by/),
    ]);
    expect(rows[4]?.[3]).toBe('$3.5000');
    const amounts = rows.map((row) => cents(row.at(-1)));
    expect([amounts[6], amounts[9], amounts[10]]).toEqual([3_000, 4_000, 4_000]);
  });

  it('sums many lines up by service on page 1, and has all of them behind it', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => ({
      name: `Service ${at % 12}`,
      minor: 100 + at,
      unit: 'SEC',
      quantity: 60,
    }));
    const pdf = await (await billed(lines)).paper();
    const first = tableOf(pdf);
    const end = first.findIndex(([label]) => label === 'Subtotal');
    const services = first.slice(1, end).filter((row) => row.at(-1) !== '');
    expect(services.reduce((sum, row) => sum + cents(row.at(-1)), 0)).toBe(cents(first[end]?.at(-1)));
    expect(services).toHaveLength(9);
    expect(services.at(-1)?.[0]).toBe('Other services (4), see page 2');
    const all = pdf.pages.slice(1).flatMap((_, at) => tableOf(pdf, at + 1));
    expect(all.filter((row) => /^Service/.test(row[0] ?? ''))).toHaveLength(60);
    expect(nodesOf(pdf.pages[0]?.structure, 'H2').map(({ text }) => text)).toEqual(['Payment slip']);
  });

  it.each([
    ['a gateway and bank details', true, { bankDetails }, /Online.*Bank transfer IBAN DE02/, 1],
    ['bank details alone', false, { bankDetails }, /Reference \S+ .*Bank transfer IBAN DE02/, 0],
    ['a gateway alone', true, {}, /Scan to pay/, 1],
    [
      'bank details and words of the brand',
      false,
      { bankDetails, paymentInstructions },
      /Bank transfer IBAN DE02 .*How else to pay Cheques to Box 12 Cash at any shop/,
      0,
    ],
    [
      'words of the brand alone',
      false,
      { paymentInstructions },
      /How to pay Cheques to Box 12 Cash at any shop/,
      0,
    ],
    ['no way to pay', false, {}, undefined, 0],
  ])('with %s has the slip that goes with it', async (_name, paymentsEnabled, settings, told, links) => {
    const { invoice, paper } = await billed([{ name: 'Line rental', minor: 2_000 }], {
      ...settings,
      paymentsEnabled,
    });
    const [page] = (await paper()).pages;
    const slip = page?.text.replace(/\s+/g, ' ').split('Payment slip')[1];
    if (told === undefined) expect(slip).toBeUndefined();
    else expect(slip).toMatch(told);
    if (slip !== undefined) expect(slip).toContain(`Reference ${invoice.number}`);
    expect(page?.links).toHaveLength(links);
    expect(slip?.includes('Scan to pay') ?? false).toBe(links === 1);
  });

  it.each([
    [
      'all of it',
      0,
      true,
      /^This amount stays with us as your credit\. It is used by itself for what you pay next/,
    ],
    [
      'a part',
      1_000,
      true,
      /^\$10\.00 is taken off invoice \S+\. \$30\.00 stays with us as your credit\. .* paid back, ask us: \+1 555 0100\.$/,
    ],
    ['all that was used', 4_000, true, /^\$40\.00 is taken off invoice \S+$/],
    [
      'no way to pay',
      0,
      false,
      /^This amount stays with us as your credit\. To have it used .* ask us: \+1 555 0100\.$/,
    ],
  ])('says what becomes of a credit: %s', async (_name, used, paymentsEnabled, told) => {
    const { person, invoice, paper } = await billed([{ name: 'Line rental', minor: 2_000 }], {
      paymentsEnabled,
      supportPhone: '+1 555 0100',
    });
    await run(
      `update invoice set kind = 'creditNote', subtotal_minor = -3000, tax_minor = -1000, total_minor = -4000,
              payable_minor = -4000, due_on = null where id = $1`,
      [invoice.id],
    );
    const other = await fixture.seedPayable(person.customer);
    if (used > 0)
      await run(
        `insert into invoice_credit (customer_id, id, credit_invoice_id, invoice_id, amount_minor, created_at)
         values ($1, gen_random_uuid(), $2, $3, $4, now())`,
        [person.customer.id, invoice.id, other.id, used],
      );
    const pdf = await paper();
    const texts = nodesOf(pdf.pages[0]?.structure, 'P').map(({ text }) => text.replace(/\s+/g, ' ').trim());
    expect(texts).toContainEqual(expect.stringMatching(told));
  });

  it('tells the tax in the provider’s currency as the invoice states it, with its rate', async () => {
    const { invoice, paper } = await billed([{ name: 'Line rental', minor: 2_000 }]);
    for (const [rate, told] of [
      ['11.2550', 'Tax in SEK: SEK 112.55, at 11.255 SEK for 1 USD of 02.28.2026.'],
      [null, 'Tax in SEK: SEK 112.55.'],
    ] as const) {
      const taxElsewhere = { currency: 'SEK', taxMinor: 11_255, rate, rateOn: '2026-02-28' };
      await run('update invoice set details = $2 where id = $1', [
        invoice.id,
        JSON.stringify({ taxElsewhere }),
      ]);
      expect((await paper()).pages[0]?.text.replace(/\s+/g, ' ')).toContain(told);
    }
  });

  it('is US Letter where the buyer’s country uses it', async () => {
    for (const [country, width] of [
      ['US', 612],
      ['DE', 595.28],
    ] as const) {
      const { invoice, paper } = await billed([{ name: 'Line rental', minor: 2_000 }]);
      const buyer = { name: 'Harbour', address: { lines: ['1 Quay'], country } };
      await run('update invoice set buyer = $2 where id = $1', [invoice.id, JSON.stringify(buyer)]);
      expect((await paper()).pages[0]?.width).toBeCloseTo(width, 2);
    }
  });
});
