import { parseRate, rateToNumber } from '@counterfoil/domain/money/rate.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { DemoMonth } from '../world/calendar.ts';
import { fixedId } from '../world/random.ts';
import { demoType, typeId } from '../world/tariff.ts';
import type { UsageScope } from '../world/usage.ts';
import { writeRows } from './write-rows.ts';

interface Product {
  readonly name: string;
  readonly types: readonly string[];
  readonly unitLabel: string;
  /** Units of the records in one of the bundle's. */
  readonly recordUnits: number;
}

const allowances: readonly Product[] = [
  { name: 'Calls in the country', types: ['national', 'mobile'], unitLabel: 'minutes', recordUnits: 60 },
  { name: 'Mobile data', types: ['mobile-data'], unitLabel: 'GB', recordUnits: 1024 },
  { name: 'Text messages', types: ['text'], unitLabel: 'messages', recordUnits: 1 },
];
const nice = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

/** Bundles as a provider sells them: a round number a little above what the customer used last month. */
export async function writeBundles(
  tx: Tx,
  scopes: readonly UsageScope[],
  lastMonth: DemoMonth,
): Promise<void> {
  const withLines = scopes.filter(({ subscriptions }) => subscriptions.items.length > 0);
  const bundles = withLines.flatMap(({ customer }) =>
    bundleNames.map((name, position) => ({
      customer_id: customer.id,
      id: bundleId(customer.id, name),
      name,
      position,
    })),
  );
  await writeRows(tx, 'bundle', { customer_id: 'uuid', id: 'uuid', name: 'text', position: 'int' }, bundles);
  for (const scope of withLines) {
    await writeRows(tx, 'bundle_product', productColumns, await productsOf(tx, scope, lastMonth));
  }
}

const bundleNames = ['Business Connect', 'Reception line'] as const;
const bundleId = (customerId: string, name: string) => fixedId(`bundle ${customerId} ${name}`);

const productColumns = {
  customer_id: 'uuid',
  bundle_id: 'uuid',
  line_no: 'int',
  product_name: 'text',
  service_item_id: 'uuid',
  record_type_ids: 'uuid[]',
  quantity: 'numeric',
  unit_label: 'text',
  record_units: 'numeric',
};

async function productsOf(tx: Tx, { customer, brand, subscriptions }: UsageScope, month: DemoMonth) {
  const reception = subscriptions.items.find(({ service }) => service === 'voice');
  const lines = [
    ...allowances.map((product) => ({ product, bundle: bundleNames[0], item: null })),
    ...(reception === undefined || allowances[0] === undefined
      ? []
      : [{ product: allowances[0], bundle: bundleNames[1], item: reception }]),
  ];
  const rows = [];
  for (const [index, { product, bundle, item }] of lines.entries()) {
    const types = product.types.map((code) => typeId(brand.resellerId, demoType(code)));
    const { units } = await tx.one<{ units: string }>(sql`
      select coalesce(sum(units), 0)::text as units from usage_record
       where customer_id = ${customer.id} and record_type_id = any(${types}::uuid[])
         and started_at >= ${month.start}::timestamp at time zone 'UTC'
         and started_at < (${month.end}::timestamp + interval '1 day') at time zone 'UTC'
         ${item === null ? sql`` : sql`and service_item_id = ${item.id}`}`);
    const used = rateToNumber(parseRate(units)) / product.recordUnits;
    rows.push({
      customer_id: customer.id,
      bundle_id: bundleId(customer.id, bundle),
      line_no: index + 1,
      product_name: product.name,
      service_item_id: item?.id ?? null,
      record_type_ids: types,
      quantity: nice.find((size) => size >= used * 0.9) ?? Math.ceil(used),
      unit_label: product.unitLabel,
      record_units: product.recordUnits,
    });
  }
  return rows;
}
