import { randomUUID } from 'node:crypto';
import type { Provider, Providers } from './provider.ts';

interface LineSeed {
  readonly agreementId: string;
  readonly name: string;
  /** 'YYYY-MM-DD' */
  readonly from: string;
  readonly to?: string;
  /** Minor units. */
  readonly amount: number;
  readonly serviceItemId?: string;
  readonly extra?: readonly string[];
}

let line = 0;

/** Rows of billing beside invoices, for a provider's one customer; no command makes them one by one. */
export function billingOf(providers: Providers, { resellerId, customerId }: Provider) {
  const insert = async (table: string, row: Readonly<Record<string, unknown>>): Promise<void> => {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    const text = `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`;
    await providers.sql(text, Object.values(row));
  };
  const withId = async (table: string, row: Readonly<Record<string, unknown>>): Promise<string> => {
    const id = randomUUID();
    await insert(table, { ...row, id });
    return id;
  };
  return {
    /** @param id where the brand already names it */
    async service(name: string, id: string = randomUUID()): Promise<string> {
      await insert('service', { id, reseller_id: resellerId, code: name, name });
      return id;
    },
    item: (serviceId: string, name: string, description: string | null, costCentre: string | null) =>
      withId('service_item', {
        customer_id: customerId,
        service_id: serviceId,
        name,
        description,
        cost_centre: costCentre,
      }),
    agreement: (name: string, startedOn: string) =>
      withId('agreement', { customer_id: customerId, name, started_on: startedOn }),
    period: (agreementId: string, start: string, end: string) =>
      withId('billing_period', {
        customer_id: customerId,
        agreement_id: agreementId,
        period_start: start,
        period_end: end,
      }),
    /** One that is not invoiced yet. */
    line(seed: LineSeed): Promise<string> {
      line += 1;
      return withId('invoice_line', {
        customer_id: customerId,
        invoice_id: null,
        line_no: line,
        kind: 'line',
        product_name: seed.name,
        agreement_id: seed.agreementId,
        service_item_id: seed.serviceItemId ?? null,
        date_from: seed.from,
        date_to: seed.to ?? seed.from,
        quantity: '1',
        price: `${seed.amount}`,
        base_quantity: '100',
        currency: 'USD',
        amount_minor: seed.amount,
        tax_minor: 0,
        extra: seed.extra ?? [],
      });
    },
  };
}

/** Rows of a saved CSV, without its head; for files without line breaks in a cell. */
export const csvRows = (text: string): readonly string[] =>
  text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .slice(1);
