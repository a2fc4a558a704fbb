/** A kind of thing that goes in by lines. */
export interface BulkLines {
  /** As in `/v1/admin/<path>/bulk`. */
  readonly path: string;
  /** As the audit trail names it. */
  readonly kind: string;
  /** One line by its number from 1. @param resellerId whose; what belongs to the installation differs by it */
  readonly line: (n: number, resellerId: number) => object;
  /** The tables in which a line of it becomes rows. */
  readonly tables: readonly string[];
}

const customer = (n: number) => `C-${n}`;
const number = (n: number) => `+6490${String(n).padStart(7, '0')}`;

/** Each kind in an order in which what a line names is there already; a customer has one of each. */
export const kinds: readonly BulkLines[] = [
  {
    path: 'customers',
    kind: 'customer',
    tables: ['customer', 'customer_identity', 'reseller_customer'],
    line: (n) => ({
      reference: customer(n),
      label: `${names[n % names.length]} ${n} Limited`,
      email: `bills-${n}@customer.example`,
      country: 'NZ',
      address: { lines: [`${n % 400} Quay Street`], city: 'Auckland', postalCode: '1010' },
    }),
  },
  {
    path: 'users',
    kind: 'user',
    tables: ['app_user', 'membership'],
    line: (n, resellerId) => ({
      email: `person-${n}@reseller-${resellerId}.example`,
      customer: customer(n),
      displayName: `Person ${n}`,
      invite: false,
    }),
  },
  {
    path: 'agreements',
    kind: 'agreement',
    tables: ['agreement', 'provider_reference'],
    line: (n) => ({
      reference: `A-${n}`,
      customer: customer(n),
      name: 'Business voice',
      startedOn: '2025-04-01',
    }),
  },
  {
    path: 'service-items',
    kind: 'serviceItem',
    tables: ['service_item', 'service_item_number', 'provider_reference', 'service_item_version'],
    line: (n) => ({
      reference: `L-${n}`,
      customer: customer(n),
      service: 'voice',
      name: number(n),
      description: 'Front desk',
      site: 'Auckland',
      agreement: `A-${n}`,
    }),
  },
  {
    path: 'bundles',
    kind: 'bundle',
    tables: ['bundle', 'bundle_product', 'provider_reference'],
    line: (n) => ({
      reference: `B-${n}`,
      customer: customer(n),
      name: 'Business Connect',
      usedMonth: '2026-03',
      products: [{ name: 'Calls', serviceItem: `L-${n}`, quantity: '500', unitLabel: 'min', used: '37.5' }],
    }),
  },
  {
    path: 'charges',
    kind: 'charge',
    tables: ['invoice_line', 'provider_reference'],
    line: (n) => ({
      reference: `CH-${n}`,
      customer: customer(n),
      name: 'Number reservation',
      label: 'One-off',
      serviceItem: number(n),
      agreement: `A-${n}`,
      from: '2026-03-01',
      price: '5',
      quantity: '2',
      currency: 'NZD',
      amount: '10.00',
      tax: '1.50',
    }),
  },
  {
    path: 'adjustments',
    kind: 'adjustment',
    tables: ['balance_adjustment', 'provider_reference', 'ledger'],
    // One in four is in the customer's favour and becomes credit.
    line: (n) => ({
      reference: `OB-${n}`,
      customer: customer(n),
      kind: 'openingBalance',
      amount: n % 4 === 0 ? '-25.00' : '125.00',
      currency: 'NZD',
      bookedOn: '2026-02-28',
    }),
  },
  {
    path: 'invoices',
    kind: 'invoice',
    tables: ['invoice', 'invoice_identity', 'invoice_line', 'billing_period', 'pay_link', 'invoice_pay_link'],
    line: (n) => ({
      reference: `INV-${n}`,
      customer: customer(n),
      issuedOn: '2026-03-01',
      dueOn: '2026-03-15',
      currency: 'NZD',
      periodFrom: '2026-02-01',
      periodTo: '2026-02-28',
      agreement: `A-${n}`,
      lines: [
        { name: 'Business voice', serviceItem: number(n), price: '80.00', amount: '80.00', ...taxed },
        { name: 'Calls', quantity: '4', price: '5.00', amount: '20.00', ...taxed },
      ],
      taxes: [{ category: 'S', percent: '15', taxable: '100.00', amount: '15.00' }],
      subtotal: '100.00',
      tax: '15.00',
      total: '115.00',
      payable: '115.00',
    }),
  },
];

const taxed = { taxCategory: 'S', taxPercent: '15' };
const names = ['Harbour', 'Northline', 'Kauri', 'Tui', 'Rimu', 'Pacific', 'Summit'];
