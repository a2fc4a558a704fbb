import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';

/**
 * Rows that are valid by themselves; a test states only what matters to it. They go in by plain SQL, so that they
 * test the tables too.
 */
export interface Factories {
  reseller(over?: Partial<ResellerSeed>): Promise<ResellerSeed>;
  customer(over?: Partial<CustomerSeed>): Promise<CustomerSeed>;
  invoice(over?: Partial<InvoiceSeed>): Promise<InvoiceSeed>;
  user(over: Partial<UserSeed> & { customerIds: readonly string[] }): Promise<UserSeed>;
}

export interface ResellerSeed {
  readonly id: number;
  readonly name: string;
  readonly brandId: number;
  readonly host: string;
  readonly currency: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface CustomerSeed {
  readonly id: string;
  readonly resellerId: number;
  readonly brandId: number;
  readonly label: string;
  readonly email: string | null;
}

export interface InvoiceSeed {
  readonly id: string;
  readonly customerId: string;
  readonly resellerId: number;
  readonly number: string;
  readonly kind: 'invoice' | 'creditNote';
  readonly currency: string;
  readonly subtotalMinor: bigint;
  readonly taxMinor: bigint;
  readonly issuedOn: string;
  readonly dueOn: string | null;
  readonly status: number;
}

export interface UserSeed {
  readonly id: string;
  readonly resellerId: number;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly customerIds: readonly string[];
}

const COLOURS = ['#ffffff', '#3598db', '#94a1a3', '#def1fe', '#005e80', '#eef8fe', '#e7ebef'];
/** How many things were made in each database: what one is called does not depend on other test files. */
const serials = new WeakMap<pg.Pool, number>();

/** @param pool of a migrated database */
export function factories(pool: pg.Pool): Factories {
  const next = (): number => {
    const serial = (serials.get(pool) ?? 0) + 1;
    serials.set(pool, serial);
    return serial;
  };
  return {
    async reseller(over = {}) {
      const id = over.id ?? 7000 + next();
      const seed = {
        id,
        name: `Reseller ${id}`,
        brandId: id,
        host: `brand${id}.localhost`,
        currency: 'USD',
        settings: { billingAddressRequired: false, cardHolderRequired: false },
        ...over,
      };
      await pool.query('insert into reseller (id, name) values ($1, $2)', [seed.id, seed.name]);
      await pool.query(
        `insert into brand (id, reseller_id, name, company_name, colours, settings, currency)
         values ($1, $2, $3, $3, $4, $5, $6)`,
        [seed.brandId, seed.id, seed.name, COLOURS, JSON.stringify(seed.settings), seed.currency],
      );
      await pool.query('insert into brand_host (host, brand_id, is_main) values ($1, $2, true)', [
        seed.host,
        seed.brandId,
      ]);
      return seed;
    },
    async customer(over = {}) {
      const seed = {
        id: randomUUID(),
        resellerId: 0,
        brandId: 0,
        label: `Customer ${next()}`,
        email: null,
        ...over,
      };
      await pool.query(
        'insert into customer (customer_id, reseller_id, brand_id, label, email) values ($1, $2, $3, $4, $5)',
        [seed.id, seed.resellerId, seed.brandId, seed.label, seed.email],
      );
      await pool.query(
        'insert into reseller_customer (reseller_id, customer_id, brand_id, label) values ($1, $2, $3, $4)',
        [seed.resellerId, seed.id, seed.brandId, seed.label],
      );
      return seed;
    },
    async invoice(over = {}) {
      const seed = {
        id: randomUUID(),
        customerId: '',
        resellerId: 0,
        number: `INV-${next()}`,
        kind: 'invoice' as const,
        currency: 'USD',
        subtotalMinor: 10_000n,
        taxMinor: 1_000n,
        issuedOn: '2026-02-01',
        dueOn: '2026-03-15',
        status: 10,
        ...over,
      };
      const total = seed.subtotalMinor + seed.taxMinor;
      await pool.query(
        `insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, currency,
           subtotal_minor, tax_minor, total_minor, payable_minor, status, content_hash, generated_at)
         values ($1, $2, $3, $4, $5, 'supplier', $6, $7, $8, $9, $10, $11, $11, $12, $13, now())`,
        [
          seed.customerId,
          seed.id,
          seed.resellerId,
          seed.kind,
          seed.number,
          seed.issuedOn,
          seed.dueOn,
          seed.currency,
          seed.subtotalMinor,
          seed.taxMinor,
          total,
          seed.status,
          randomBytes(32),
        ],
      );
      return seed;
    },
    async user(over) {
      const id = randomUUID();
      const seed = { id, resellerId: 0, email: `user${next()}@test.example`, passwordHash: null, ...over };
      await pool.query(
        'insert into app_user (id, reseller_id, email, display_name, password_hash) values ($1, $2, $3, $3, $4)',
        [seed.id, seed.resellerId, seed.email, seed.passwordHash],
      );
      for (const customerId of seed.customerIds) {
        await pool.query('insert into membership (user_id, customer_id) values ($1, $2)', [
          seed.id,
          customerId,
        ]);
      }
      return seed;
    },
  };
}
