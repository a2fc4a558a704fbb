import type { UsageMapping } from '@counterfoil/contract/usage-import.ts';
import { newId } from '@counterfoil/domain/ids.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { UsageRow } from './usage-row.ts';

/** A column that is no type makes as many of them as there are rows. */
const maxTypes = 2_000;

/** The services and record types of a mapping, made where the reseller has none. */
export class UsageCatalogue {
  readonly #db: Database;
  readonly #resellerId: number;
  readonly #now: Date;
  readonly #services = new Map<string, string>();
  /** By service code and type code. */
  readonly #types = new Map<string, string>();

  private constructor(db: Database, resellerId: number, now: Date) {
    this.#db = db;
    this.#resellerId = resellerId;
    this.#now = now;
  }

  static async open(
    db: Database,
    resellerId: number,
    mapping: UsageMapping,
    now: Date,
  ): Promise<UsageCatalogue> {
    const catalogue = new UsageCatalogue(db, resellerId, now);
    await catalogue.#ensureServices(mapping);
    const fixed = mapping.kinds.flatMap(({ service, recordType }) =>
      'code' in recordType
        ? [{ service, typeCode: recordType.code, typeDescription: recordType.description }]
        : [],
    );
    await catalogue.prepare(fixed);
    return catalogue;
  }

  /** The service's id. */
  service(code: string): string {
    return this.#services.get(code) ?? '';
  }

  /** The record type's id, or null where there are too many to make another. */
  type(service: string, code: string): string | null {
    return this.#types.get(`${service}\0${code}`) ?? null;
  }

  /** Makes the types of these rows known, in one transaction where one is new. */
  async prepare(rows: Iterable<Pick<UsageRow, 'service' | 'typeCode' | 'typeDescription'>>): Promise<void> {
    const wanted = new Map<string, Pick<UsageRow, 'service' | 'typeCode' | 'typeDescription'>>();
    for (const row of rows) {
      const key = `${row.service}\0${row.typeCode}`;
      if (!this.#types.has(key) && this.#types.size + wanted.size < maxTypes) wanted.set(key, row);
    }
    if (wanted.size === 0) return;
    const entries = [...wanted.values()].map(({ service, typeCode, typeDescription }) => ({
      ...{ id: newId(this.#now.getTime()), service_id: this.service(service), service, code: typeCode },
      description: typeDescription,
    }));
    const json = JSON.stringify(entries);
    const rows_ = await this.#db.transaction(async (tx) => {
      await tx.execute(sql`
        insert into record_type (id, reseller_id, service_id, code, description)
        select t.id, ${this.#resellerId}, t.service_id, t.code, t.description
          from jsonb_to_recordset(${json}::jsonb) as t(id uuid, service_id uuid, code text, description text)
         order by t.service_id, t.code
        on conflict do nothing`);
      return tx.many<{ id: string; service: string; code: string }>(sql`
        select r.id, t.service, r.code
          from jsonb_to_recordset(${json}::jsonb) as t(service_id uuid, service text, code text)
          join record_type r on r.reseller_id = ${this.#resellerId} and r.service_id = t.service_id and r.code = t.code`);
    });
    for (const { id, service, code } of rows_) this.#types.set(`${service}\0${code}`, id);
  }

  async #ensureServices(mapping: UsageMapping): Promise<void> {
    const wanted = Object.entries(mapping.services).map(([code, service]) => ({
      ...{ id: newId(this.#now.getTime()), code, ...service },
    }));
    const rows = await this.#db.transaction(async (tx) => {
      await tx.execute(sql`
        insert into service (id, reseller_id, code, name, service_item_label, service_item2_label, service_item3_label,
                             units_label, record_type_label)
        select s.id, ${this.#resellerId}, s.code, s.name, s."serviceItemLabel", s."serviceItem2Label",
               s."serviceItem3Label", s."unitsLabel", s."recordTypeLabel"
          from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as s(id uuid, code text, name text,
               "serviceItemLabel" text, "serviceItem2Label" text, "serviceItem3Label" text, "unitsLabel" text,
               "recordTypeLabel" text)
         order by s.code
        on conflict do nothing`);
      return tx.many<{ id: string; code: string }>(sql`
        select id, code from service
         where reseller_id = ${this.#resellerId} and code = any(${wanted.map(({ code }) => code)}::text[])`);
    });
    for (const { id, code } of rows) this.#services.set(code, id);
  }
}
