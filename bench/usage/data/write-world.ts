import type pg from 'pg';
import type { Tx } from '../../../apps/api/src/db/database.ts';
import { sql } from '../../../apps/api/src/db/sql.ts';
import { hashPassword } from '../../../apps/api/src/features/auth/passwords/passwords.ts';
import { factories } from '../../../packages/testing/src/factories.ts';
import type { World } from './world.ts';

export const RESELLER = 7_900;
export const EMAIL = 'usage@bench.example';
export const PASSWORD = 'Ledger!2026';

/** Writes everything but the records, and the tables of `bench_usage` that records are drawn from. */
export async function writeWorld(pool: pg.Pool, tx: Tx, world: World): Promise<void> {
  const make = factories(pool);
  await make.reseller({ id: RESELLER, brandId: RESELLER });
  await writeServices(tx, world);
  await writeCustomers(tx, world);
  await writeLines(tx, world);
  await writeSlots(tx, world);
}

/** A person who may see the largest customer. */
export async function writeUser(pool: pg.Pool, world: World): Promise<void> {
  await factories(pool).user({
    resellerId: RESELLER,
    email: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
    customerIds: world.customers.slice(0, 1).map(({ id }) => id),
  });
}

const insertRows = (tx: Tx, table: string, columns: string, rows: readonly unknown[]): Promise<number> =>
  tx.execute(sql`
    insert into ${sql.raw(table)} (${sql.raw(columns)})
    select ${sql.raw(columns)} from jsonb_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(rows)}::jsonb)`);

async function writeServices(tx: Tx, { services }: World): Promise<void> {
  const label = { voice: 'Number called', data: 'Network', message: 'Number', sensor: 'Network' };
  await insertRows(
    ...([tx, 'service', 'id, reseller_id, code, name, service_item2_label'] as const),
    services.map(({ id, code, name }) => ({
      id,
      reseller_id: RESELLER,
      code,
      name,
      service_item2_label: label[code as keyof typeof label],
    })),
  );
  await insertRows(
    ...([tx, 'record_type', 'id, reseller_id, service_id, code, description'] as const),
    services.flatMap((service) =>
      service.types.map(({ id, code, description }) => ({
        id,
        reseller_id: RESELLER,
        service_id: service.id,
        code,
        description,
      })),
    ),
  );
}

async function writeCustomers(tx: Tx, { customers }: World): Promise<void> {
  const rows = customers.map(({ id, label }) => ({
    customer_id: id,
    reseller_id: RESELLER,
    brand_id: RESELLER,
    label,
    external_ref: label,
    address: {},
    created_at: '2024-01-01T00:00:00Z',
  }));
  await insertRows(
    ...([
      tx,
      'customer',
      'customer_id, reseller_id, brand_id, label, external_ref, address, created_at',
    ] as const),
    rows,
  );
  await insertRows(tx, 'reseller_customer', 'reseller_id, customer_id, brand_id, label', rows);
  await insertRows(
    ...([tx, 'customer_identity', 'reseller_id, kind, value, customer_id'] as const),
    rows.map(({ customer_id, reseller_id, label }) => ({
      customer_id,
      reseller_id,
      kind: 'externalRef',
      value: label,
    })),
  );
  await insertRows(
    ...([tx, 'agreement', 'customer_id, id, name, external_ref'] as const),
    customers.flatMap(({ id: customer_id, agreementIds }) =>
      agreementIds.map((id, n) => ({
        customer_id,
        id,
        name: `Agreement ${n + 1}`,
        external_ref: `A${n + 1}`,
      })),
    ),
  );
}

async function writeLines(tx: Tx, { customers, services }: World): Promise<void> {
  const rows = customers.flatMap(({ id: customer_id, lines }) =>
    lines.map(({ id, name, description, costCentre, site, service, agreementId }) => ({
      customer_id,
      id,
      name,
      description,
      cost_centre: costCentre,
      site,
      number: name,
      service_id: services[service]?.id,
      agreement_id: agreementId,
      created_at: '2024-01-01T00:00:00Z',
      reseller_id: RESELLER,
      service_item_id: id,
    })),
  );
  const columns =
    'customer_id, id, service_id, agreement_id, name, description, cost_centre, site, created_at';
  await insertRows(tx, 'service_item', columns, rows);
  await insertRows(tx, 'service_item_number', 'reseller_id, number, customer_id, service_item_id', rows);
}

async function writeSlots(tx: Tx, { customers, services }: World): Promise<void> {
  await tx.execute(sql`create schema bench_usage`);
  await tx.execute(sql`
    create table bench_usage.slot (slot int primary key, first_line int, line_count bigint, is_largest boolean)`);
  await tx.execute(sql`
    create table bench_usage.line (
      n int primary key, customer_id uuid, service_item_id uuid, agreement_id uuid, service int)`);
  await tx.execute(sql`
    create table bench_usage.type (
      service int, slot int, kind text, record_type_id uuid, rate numeric, primary key (service, slot))`);
  let firstLine = 0;
  const slots = customers.flatMap(({ slots: count, lines }, n) => {
    const row = { first_line: firstLine, line_count: lines.length, is_largest: n === 0 };
    firstLine += lines.length;
    return Array.from({ length: count }, () => row);
  });
  await insertRows(
    ...([tx, 'bench_usage.slot', 'slot, first_line, line_count, is_largest'] as const),
    slots.map((row, slot) => ({ slot, ...row })),
  );
  const lines = customers.flatMap((customer) =>
    customer.lines.map(({ id, agreementId, service }) => ({
      customer_id: customer.id,
      service_item_id: id,
      agreement_id: agreementId,
      service,
    })),
  );
  await insertRows(
    ...([tx, 'bench_usage.line', 'n, customer_id, service_item_id, agreement_id, service'] as const),
    lines.map((line, n) => ({ n, ...line })),
  );
  const types = services.flatMap(({ kind, types: all }, service) =>
    all
      .flatMap(({ id, rate, slots: count }) =>
        Array.from({ length: count }, () => ({ service, kind, record_type_id: id, rate })),
      )
      .map((row, slot) => ({ ...row, slot })),
  );
  await insertRows(tx, 'bench_usage.type', 'service, slot, kind, record_type_id, rate', types);
  for (const table of ['slot', 'line', 'type'])
    await tx.execute(sql`analyze ${sql.raw(`bench_usage.${table}`)}`);
}
