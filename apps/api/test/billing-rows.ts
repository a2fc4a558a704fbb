import { randomUUID } from 'node:crypto';
import type { TestFixture } from './test-fixture.ts';

interface LineSeed {
  readonly invoiceId?: string | null;
  readonly agreementId?: string | null;
  readonly serviceId?: string | null;
  readonly serviceItemId?: string | null;
  readonly name?: string;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly amountMinor?: bigint;
  readonly taxMinor?: bigint;
  readonly quantity?: string;
  readonly costCentre?: string | null;
  readonly currency?: string;
  readonly extra?: readonly string[];
}

let line = 0;

/** Rows of billing beside invoices: agreements, periods, services, items, lines. Valid by themselves. */
export function billingRows(fixture: TestFixture) {
  const insert = async (table: string, row: Readonly<Record<string, unknown>>): Promise<void> => {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    await fixture.database
      .pool()
      .query(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`, Object.values(row));
  };
  return {
    async agreement(customerId: string, name: string, startedOn = '2024-01-01'): Promise<string> {
      const id = randomUUID();
      await insert('agreement', { customer_id: customerId, id, name, started_on: startedOn });
      return id;
    },
    async period(customerId: string, agreementId: string, start: string, end: string): Promise<string> {
      const id = randomUUID();
      const days = { period_start: start, period_end: end };
      await insert('billing_period', { customer_id: customerId, id, agreement_id: agreementId, ...days });
      return id;
    },
    async service(
      resellerId: number,
      name: string,
      labels: Readonly<Record<string, string>> = {},
    ): Promise<string> {
      const id = randomUUID();
      await insert('service', { id, reseller_id: resellerId, code: name, name, ...labels });
      return id;
    },
    async item(
      customerId: string,
      serviceId: string,
      name: string,
      over: { readonly description?: string | null; readonly costCentre?: string | null } = {},
    ): Promise<string> {
      const id = randomUUID();
      const texts = { description: over.description ?? null, cost_centre: over.costCentre ?? null };
      await insert('service_item', { customer_id: customerId, id, service_id: serviceId, name, ...texts });
      return id;
    },
    async line(customerId: string, seed: LineSeed = {}): Promise<string> {
      const id = randomUUID();
      line += 1;
      const { from = '2026-03-01', amountMinor = 1_000n } = seed;
      await insert('invoice_line', {
        customer_id: customerId,
        id,
        invoice_id: seed.invoiceId ?? null,
        line_no: line,
        kind: 'line',
        product_name: seed.name ?? `Line ${line}`,
        agreement_id: seed.agreementId ?? null,
        service_id: seed.serviceId ?? null,
        service_item_id: seed.serviceItemId ?? null,
        cost_centre: seed.costCentre ?? null,
        date_from: from,
        date_to: seed.to ?? from,
        quantity: seed.quantity ?? '1',
        price: `${amountMinor}`,
        base_quantity: '100',
        currency: seed.currency ?? 'USD',
        amount_minor: amountMinor,
        tax_minor: seed.taxMinor ?? 0n,
        extra: seed.extra ?? [],
      });
      return id;
    },
  };
}
