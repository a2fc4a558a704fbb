import type { InvoiceDocument, InvoiceDocumentLine } from './document.ts';

const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14.5" fill="#fff"
 stroke="#005e80" stroke-width="2.5"/><path d="M11 21.5v-11l10 11v-11" fill="none" stroke="#005e80"
 stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Product, details, service item, price, quantity. */
const products: readonly (readonly [string, string, string, string, string])[] = [
  ['Business Mobile 20', '20 services', '', '$32.50', '20'],
  ['Fibre 500/200, Port Botany warehouse', '', 'NBN-884120', '$189.00', '1'],
  ['SIP trunk, 30 channels', '', '(02) 5550 0180', '$96.00', '1'],
  ['National voice', '6,214 min', '', '$0.0125', '6,214'],
  ['International voice', '418 min to 9 countries', '', '$0.1420', '418'],
  ['SMS', '3,902 messages', '', '$0.0110', '3,902'],
  ['Mobile data above the bundle', '41.7 GB', '', '$1.1000', '41.7'],
  ['Roaming, New Zealand', '', '0491 570 313', '$18.90', '1'],
];

const period = '11.01.2026 – 11.30.2026';

const dollars = (cents: number): string => {
  const text = (Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return `${cents < 0 ? '−' : ''}$${text}`;
};

interface Charge {
  readonly line: InvoiceDocumentLine;
  readonly cents: number;
}

function sampleCharge(index: number, seed: number): Charge {
  const [description, details, serviceItem, unitPrice, quantity] = products[index % products.length] ?? [
    'Line rental',
    '',
    '',
    '$1.00',
    '1',
  ];
  const cents = 1199 + ((index * 7919 + seed * 104_729) % 90_000);
  const isUsage = unitPrice.length > 7;
  const line = {
    description,
    details,
    serviceItem:
      serviceItem === '' && index > 7 ? `04${String(91_570_300 + index * 37 + seed)}` : serviceItem,
    period: isUsage ? '10.01.2026 – 10.31.2026' : period,
    unitPrice,
    quantity,
    amount: dollars(cents),
  };
  return { line, cents };
}

/**
 * An invoice for tests and benchmarks, with a logo and believable telecom charges.
 * @param seed changes names and figures
 */
export function sampleDocument(lineCount: number, seed = 0): InvoiceDocument {
  const charges = Array.from({ length: lineCount }, (_, index) => sampleCharge(index, seed));
  const subtotal = charges.reduce((sum, charge) => sum + charge.cents, 0);
  const tax = Math.round(subtotal / 10);
  return {
    kind: 'invoice',
    number: `INV-${20_431 + seed}`,
    language: 'en',
    issuedAt: '2026-11-05T08:00:00.000Z',
    brand: {
      name: 'Northline Telecom',
      logo: { type: 'svg', data: new TextEncoder().encode(mark) },
      colours: {
        header: '#005e80',
        accent: '#017bbc',
        onAccent: '#ffffff',
        accentText: '#0070ac',
        ink: '#0e212a',
        inkMuted: '#616d6f',
        line: '#e7ebef',
        lineStrong: '#888c90',
        ground: '#eef8fe',
      },
      footer: [
        'Northline Telecom Pty Ltd',
        'ABN 00 000 000 000',
        'billing@northline.example',
        '1300 555 018',
      ],
    },
    supplier: {
      name: 'Northline Telecom Pty Ltd',
      lines: ['Level 4, 12 Example Street', 'Sydney NSW 2000, Australia', 'ABN 00 000 000 000'],
    },
    customer: {
      name: `Harbour & Finch Logistics ${seed === 0 ? '' : seed}`.trim(),
      lines: ['Accounts payable', '88 Wharf Road', 'Port Botany NSW 2036', 'Australia'],
    },
    issueDate: '11.05.2026',
    dueDate: '12.05.2026',
    period,
    facts: [{ label: 'Customer number', value: String(100_200 + seed) }],
    lines: charges.map((charge) => charge.line),
    subtotal: dollars(subtotal),
    taxes: [{ label: `GST 10 % of ${dollars(subtotal)}`, amount: dollars(tax) }],
    tax: dollars(tax),
    total: dollars(subtotal + tax),
    settlements: [],
    amountDue: dollars(subtotal + tax),
    payLink: 'https://billing.northline.example/pay/7Jq2mXo4Tn8rKcVw',
  };
}
