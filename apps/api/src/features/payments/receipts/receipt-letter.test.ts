import { storedBrandSettings } from '@counterfoil/contract/brand.ts';
import { describe, expect, it } from 'vitest';
import { renderLetter } from '../../../pdf/letter/render-letter.ts';
import { nodesOf, readPdf } from '../../../pdf/read-pdf.ts';
import type { Brand } from '../../brand/service.ts';
import type { PaidRow } from '../paid.ts';
import { receiptLetter } from './receipt-letter.ts';

const brand: Brand = {
  id: 1,
  resellerId: 1,
  name: 'Northline',
  companyName: 'Northline Telecom',
  colours: [],
  mainHost: null,
  timeZone: 'Australia/Sydney',
  currency: 'AUD',
  settings: storedBrandSettings.parse({ postalAddress: ['40 Harbour Street'], taxNumber: 'ABN 51' }),
  reseller: { ...({} as Brand['reseller']) },
};
const context = { brand, logo: undefined, publicUrl: new URL('https://bills.example') };

/** $515.74 with tax, $124.75 of it settled before, $390.99 paid here with a fee of $5.86. */
const payment = (more: Partial<PaidRow>): PaidRow => ({
  reseller_id: 1,
  label: 'Harbour & Finch',
  customer_ref: 'C-1',
  address: {},
  country: 'AU',
  reversed_minor: 0n,
  reversed_fee_minor: 0n,
  was_returned: false,
  ref: 'PAY1',
  currency: 'AUD',
  at: new Date('2026-12-01T03:05:22Z'),
  amount_minor: 39_685n,
  asked_minor: 39_685n,
  to_fee_minor: 586n,
  to_credit_minor: 0n,
  credit_minor: 0n,
  method: 'Visa ending 4242',
  invoices: [
    {
      id: 'i',
      number: 'INV-1',
      minor: '39099',
      left: '0',
      issuedOn: '2026-11-05',
      total: '51574',
      taxes: [
        { percent: '10', taxableMinor: 45_167, taxMinor: 4_517 },
        { percent: '0', taxableMinor: 1_890, taxMinor: 0 },
      ],
    },
  ],
  ...more,
});
const [invoice] = payment({}).invoices;
const partly = invoice === undefined ? [] : [{ ...invoice, minor: '20000', left: '19099' }];

describe('a receipt on paper', () => {
  it.each<[string, Partial<PaidRow>, string, string, RegExp]>([
    [
      'paid',
      {},
      'Paid',
      '$396.85',
      /\$515\.74 less \$124\.75 already settled is \$390\.99\. The fee is not part/,
    ],
    [
      'of a part',
      { invoices: partly, amount_minor: 20_000n, asked_minor: 20_000n, to_fee_minor: 0n },
      'Paid in part',
      '$200.00',
      /less \$124\.75 already settled and \$190\.99 still to pay is \$200\.00/,
    ],
    [
      'refunded',
      { reversed_minor: 39_685n },
      'Refunded',
      '−$396.85',
      /Refunded Of payment PAY1 −\$396\.85 Left paid \$0\.00/,
    ],
    [
      'refunded in part',
      { reversed_minor: 1_000n, reversed_fee_minor: 17n },
      'Refunded in part',
      '$386.85',
      /, of which fee \$0\.17 .*Left paid \$386\.85/,
    ],
    [
      'taken back by the bank',
      { reversed_minor: 39_685n, was_returned: true },
      'Returned',
      '−$396.85',
      /Left paid \$0\.00/,
    ],
    [
      'paid from credit',
      { amount_minor: 0n, asked_minor: null, to_fee_minor: 0n, credit_minor: 39_099n, method: null },
      'Paid from credit',
      '$390.99',
      /From your credit/,
    ],
    [
      'of more than was due',
      { amount_minor: 40_685n, to_credit_minor: 1_000n },
      'Paid',
      '$406.85',
      /\$10\.00 of it stays with us as your credit\./,
    ],
    ['in another currency', { currency: 'EUR' }, 'Paid', 'EUR\u00a0396.85', /EUR, Euro/],
  ])('%s: what it says, in sums that add up', async (_name, more, caption, amount, told) => {
    const paid = payment(more);
    const letter = receiptLetter(context, paid);
    expect(letter.headline).toMatchObject({ caption, amount });
    expect(letter.slip).toBeUndefined();
    const [page] = (await readPdf(renderLetter(letter))).pages;
    const text = page?.text.replace(/\s+/g, ' ') ?? '';
    expect(text).toMatch(told);
    expect(text).toMatch(/12\.01\.2026, 14:05:22 AEDT.*AEDT \(UTC\+11\)/);
    expect(text.includes('paid in full')).toBe(caption === 'Paid' || caption === 'Paid from credit');
    const tables = nodesOf(page?.structure, 'Table').map((table) =>
      nodesOf(table, 'TR').map((row) => row.children.map((cell) => cell.text)),
    );
    const cents = (shown = ''): number => Number(shown.replace('−', '-').replace(/[^\d-]/g, ''));
    const [forWhat = [], taxes = []] = tables;
    const total = forWhat.findIndex(([first]) => /^(Total paid|Paid from credit)$/.test(first ?? ''));
    const lines = forWhat.slice(1, total).reduce((sum, row) => sum + cents(row[3]), 0);
    expect(lines).toBe(cents(forWhat[total]?.[3]));
    for (const column of [2, 3, 4])
      expect(taxes.slice(1, 3).reduce((sum, row) => sum + cents(row[column]), 0)).toBe(
        cents(taxes[3]?.[column]),
      );
  });
});
