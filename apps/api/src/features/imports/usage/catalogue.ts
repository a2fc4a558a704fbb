import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { UsageRow } from './row.ts';

/** What makes a record type known. */
type TypeOfRow = Pick<UsageRow, 'service' | 'typeCode' | 'typeDescription' | 'unit'>;

/** A record type as the books have it. */
interface KnownType {
  readonly id: string;
  /** Null: nobody has said it. */
  readonly unit: QuantityUnit | null;
}

/** A column that is no type makes as many of them as there are rows. */
const maxTypes = 2_000;

/** For whom, and how, services and record types are made known. */
export interface CatalogueOptions {
  readonly resellerId: number;
  readonly now: Date;
  /** Nothing is made: what is not known gets an id that nothing has. */
  readonly isDryRun: boolean;
}

/** The services and record types of a mapping, made where the reseller has none. */
export class UsageCatalogue {
  readonly #db: Database;
  readonly #resellerId: number;
  readonly #now: Date;
  readonly #isDryRun: boolean;
  readonly #services = new Map<string, string>();
  /** By service code and type code. */
  readonly #types = new Map<string, KnownType>();

  private constructor(db: Database, { resellerId, now, isDryRun }: CatalogueOptions) {
    this.#db = db;
    this.#resellerId = resellerId;
    this.#now = now;
    this.#isDryRun = isDryRun;
  }

  static async open(db: Database, mapping: UsageMapping, options: CatalogueOptions): Promise<UsageCatalogue> {
    const catalogue = new UsageCatalogue(db, options);
    await catalogue.#ensureServices(mapping);
    const fixed = mapping.kinds.flatMap(({ service, recordType: type }) =>
      'code' in type ? [{ service, typeCode: type.code, typeDescription: type.description, unit: null }] : [],
    );
    await catalogue.prepare(fixed);
    return catalogue;
  }

  /** The service's id. */
  service(code: string): string {
    return this.#services.get(code) ?? '';
  }

  /** The record type, or null where there are too many to make another. */
  type(service: string, code: string): KnownType | null {
    return this.#types.get(`${service}\0${code}`) ?? null;
  }

  /**
   * Makes the types of these rows known, in one transaction where one is new. The first row that says what the units of
   * a type are says it for good: what was counted so far was counted in that.
   */
  async prepare(rows: Iterable<TypeOfRow>): Promise<void> {
    const wanted = new Map<string, TypeOfRow>();
    for (const row of rows) {
      const key = `${row.service}\0${row.typeCode}`;
      const known = this.#types.get(key);
      const isNew = known === undefined && this.#types.size + wanted.size < maxTypes;
      if (isNew ? !wanted.get(key)?.unit : known?.unit === null && row.unit !== null) wanted.set(key, row);
    }
    if (wanted.size === 0) return;
    const entries = [...wanted.values()].map(({ service, typeCode, typeDescription, unit }) => ({
      id: newId(this.#now.getTime()),
      service_id: this.service(service),
      service,
      code: typeCode,
      description: typeDescription,
      unit,
    }));
    const json = JSON.stringify(entries);
    if (this.#isDryRun)
      for (const { id, service, code, unit } of entries) this.#types.set(`${service}\0${code}`, { id, unit });
    const rows_ = await this.#db.transaction(async (tx) => {
      if (!this.#isDryRun)
        await tx.execute(sql`
        insert into record_type (id, reseller_id, service_id, code, description, unit)
        select t.id, ${this.#resellerId}, t.service_id, t.code, t.description, t.unit
          from jsonb_to_recordset(${json}::jsonb)
            as t(id uuid, service_id uuid, code text, description text, unit text)
         order by t.service_id, t.code
        on conflict (reseller_id, service_id, code) do update set unit = excluded.unit
         where record_type.unit is null and excluded.unit is not null`);
      return tx.many<KnownType & { service: string; code: string }>(sql`
        select r.id, t.service, r.code, r.unit
          from jsonb_to_recordset(${json}::jsonb) as t(service_id uuid, service text, code text)
          join record_type r on r.reseller_id = ${this.#resellerId} and r.service_id = t.service_id and r.code = t.code`);
    });
    for (const { id, service, code, unit } of rows_) this.#types.set(`${service}\0${code}`, { id, unit });
  }

  async #ensureServices(mapping: UsageMapping): Promise<void> {
    const wanted = Object.entries(mapping.services).map(([code, service]) => ({
      id: newId(this.#now.getTime()),
      code,
      ...service,
    }));
    if (this.#isDryRun) for (const { code, id } of wanted) this.#services.set(code, id);
    const rows = await this.#db.transaction(async (tx) => {
      if (!this.#isDryRun)
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
