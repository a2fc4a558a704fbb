import { chargeColumns } from './charge-columns.ts';
import type { Letter, TableRow } from './letter.ts';

const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14.5" fill="#fff"
 stroke="#005e80" stroke-width="2.5"/><path d="M11 21.5v-11l10 11v-11" fill="none" stroke="#005e80"
 stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Product, quantity, unit, price. */
const products: readonly (readonly [string, string, string, string])[] = [
  ['Business Mobile 20, 20 services', '20', 'services', '$32.50'],
  ['Fibre 500/200, NBN-884120, Port Botany warehouse', '1', 'line', '$189.00'],
  ['SIP trunk, (02) 5550 0180', '30', 'channels', '$96.00'],
  ['National voice, 6,214 min', '103:34:00', 'h:mm:ss', '$0.0125'],
  ['International voice, 9 countries', '6:58:00', 'h:mm:ss', '$0.1420'],
  ['SMS', '3,902', '', '$0.0110'],
  ['Mobile data above the bundle', '41.7', 'GB', '$1.1000'],
  ['Roaming, New Zealand, 0491 570 313', '1', 'day', '$18.90'],
];

const dollars = (cents: number): string => {
  const text = (Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return `${cents < 0 ? '−' : ''}$${text}`;
};

const centsOf = (index: number, seed: number): number => 1199 + ((index * 7919 + seed * 104_729) % 90_000);

function chargeRow(index: number, seed: number): TableRow {
  const [name = '', ...facts] = products[index % products.length] ?? [];
  const product = index < products.length ? name : `${name}, 04${String(91_570_300 + index * 37 + seed)}`;
  return { kind: 'line', cells: [product, ...facts, dollars(centsOf(index, seed))] };
}

const sum = (kind: TableRow['kind'], label: string, cents: number): TableRow => ({
  kind,
  cells: [label, '', '', '', dollars(cents)],
});

/**
 * An invoice for tests and benchmarks, with a logo, a payment slip and believable telecom charges.
 * @param seed changes names and figures
 */
export function sampleLetter(lineCount: number, seed = 0): Letter {
  const number = `INV-${20_431 + seed}`;
  const lines = Array.from({ length: lineCount }, (_, index) => chargeRow(index, seed));
  const subtotal = lines.reduce((all, _, index) => all + centsOf(index, seed), 0);
  const tax = Math.round(subtotal / 10);
  const due = dollars(subtotal + tax);
  return {
    title: `Invoice ${number}`,
    runner: `Invoice ${number} of 11.05.2026`,
    paper: 'a4',
    language: 'en',
    issuedAt: '2026-11-05T08:00:00.000Z',
    sender: {
      name: 'Northline Telecom',
      logo: { type: 'svg', data: new TextEncoder().encode(mark) },
      accent: '#017bbc',
      address: ['Northline Telecom Pty Ltd', '40 Harbour Street', 'Sydney NSW 2000', 'Australia'],
      contact: ['northline.example', '(02) 5550 0100', 'billing@northline.example', 'ABN 00 000 000 000'],
      returnLine: 'Northline Telecom · 40 Harbour Street · Sydney NSW 2000',
      foot: 'Northline Telecom Pty Ltd · ABN 00 000 000 000',
    },
    recipient: {
      name: `Harbour & Finch Logistics ${seed === 0 ? '' : seed}`.trim(),
      lines: ['Accounts payable', '88 Wharf Road', 'Port Botany NSW 2036', 'Australia'],
    },
    headline: { caption: 'Amount due', amount: due, note: 'Due 12.05.2026' },
    facts: [
      { label: 'Invoice number', value: number },
      { label: 'Invoice date', value: '11.05.2026' },
      { label: 'Customer number', value: String(100_200 + seed) },
    ],
    notices: [],
    blocks: [
      {
        kind: 'table',
        columns: chargeColumns,
        keep: 4,
        rows: [
          ...lines,
          sum('sum', 'Subtotal', subtotal),
          sum('line', `GST 10% on ${dollars(subtotal)}`, tax),
          sum('sum', 'Invoice total', subtotal + tax),
          sum('total', 'Amount due by 12.05.2026', subtotal + tax),
        ],
      },
    ],
    slip: {
      amount: { label: 'Amount due', value: due },
      facts: [
        { label: 'Due', value: '12.05.2026' },
        { label: 'Reference', value: number },
        { label: 'Pay to', value: 'Northline Telecom Pty Ltd' },
      ],
      ways: [
        { title: 'Online', isLink: true, lines: [] },
        { title: 'Bank transfer', lines: ['BSB 062-000, account 5550 0180', 'Always give the reference'] },
      ],
      payLink: 'https://billing.northline.example/pay/7Jq2mXo4Tn8rKcVw',
      linkLabel: `Pay ${due}`,
    },
  };
}
