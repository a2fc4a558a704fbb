import { newId } from '@counterfoil/domain/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { dispositions, type ImportedCallRecord } from './asterisk.ts';
import type { Target } from './whose.ts';

/** Where a call record belongs. */
export interface CallOwner {
  readonly customerId: string;
  readonly serviceItemId: string;
  readonly agreementId: string;
  /** IANA zone of the exchange's clock. */
  readonly timeZone: string;
}

interface KnownNumber {
  readonly customerId: string;
  readonly serviceItemId: string | null;
}

interface CustomerContext {
  readonly agreementId: string;
  readonly timeZone: string;
}

/** Cached look-ups are dropped beyond this many, so that a large file needs no more memory than a small one. */
const cacheLimit = 20_000;

/**
 * Finds whose a call is: by its account code, else by the calling line, else by the called line, each known for the
 * reseller; else the import's default customer, whose line is made known where it is new.
 */
export class CallOwners {
  readonly #tx: Tx;
  readonly #target: Target;
  readonly #timeZone: string | undefined;
  readonly #voice: VoiceService;
  readonly #now: Date;
  readonly #numbers = new Map<string, KnownNumber | null>();
  readonly #items = new Map<string, Omit<CallOwner, 'timeZone'>>();
  readonly #customers = new Map<string, CustomerContext>();

  /** @param timeZone overrides that of the customer's brand */
  constructor(tx: Tx, target: Target, voice: VoiceService, timeZone: string | undefined, now: Date) {
    this.#tx = tx;
    this.#target = target;
    this.#voice = voice;
    this.#timeZone = timeZone;
    this.#now = now;
  }

  /** Reads what is known of a batch's numbers in one statement. Call before asking for its owners. */
  async prepare(records: readonly ImportedCallRecord[]): Promise<void> {
    if (this.#numbers.size > cacheLimit) this.#numbers.clear();
    if (this.#items.size > cacheLimit) this.#items.clear();
    const wanted = new Set<string>();
    for (const { accountCode, source, destination } of records) {
      for (const number of [accountCode, source, destination]) {
        if (number !== '' && !this.#numbers.has(number)) wanted.add(number);
      }
    }
    if (wanted.size === 0) return;
    for (const number of wanted) this.#numbers.set(ownCopy(number), null);
    const rows = await this.#tx.many<{
      number: string;
      customer_id: string;
      service_item_id: string | null;
    }>(sql`
      select value as number, customer_id, null::uuid as service_item_id from customer_identity
       where reseller_id = ${this.#target.resellerId} and kind = 'accountCode' and value = any(${[...wanted]}::text[])
      union all
      select number, customer_id, service_item_id from service_item_number
       where reseller_id = ${this.#target.resellerId} and number = any(${[...wanted]}::text[])`);
    for (const row of rows) {
      this.#numbers.set(row.number, { customerId: row.customer_id, serviceItemId: row.service_item_id });
    }
  }

  /** @returns the owner, or null where nothing in the record is known and the import has no default customer */
  async ownerOf(record: ImportedCallRecord): Promise<CallOwner | null> {
    const known =
      this.#known(record.accountCode) ?? this.#known(record.source) ?? this.#known(record.destination);
    const customerId = known?.customerId ?? this.#target.defaultCustomerId;
    if (customerId === null) return null;
    const line = record.source || record.accountCode || record.destination || 'unknown';
    const item =
      known?.serviceItemId == null
        ? await this.#itemByName(customerId, line)
        : await this.#itemById(customerId, known.serviceItemId);
    return { ...item, timeZone: this.#timeZone ?? (await this.#customer(customerId)).timeZone };
  }

  #known(number: string): KnownNumber | undefined {
    return this.#numbers.get(number) ?? undefined;
  }

  async #itemById(customerId: string, id: string): Promise<Omit<CallOwner, 'timeZone'>> {
    const cached = this.#items.get(id);
    if (cached !== undefined) return cached;
    const row = await this.#tx.one<{ agreement_id: string | null }>(sql`
      select agreement_id from service_item where customer_id = ${customerId} and id = ${id}`);
    const agreementId = row.agreement_id ?? (await this.#customer(customerId)).agreementId;
    const item = { customerId, serviceItemId: id, agreementId };
    this.#items.set(id, item);
    return item;
  }

  async #itemByName(customerId: string, name: string): Promise<Omit<CallOwner, 'timeZone'>> {
    const key = `${customerId} ${name}`;
    const cached = this.#items.get(key);
    if (cached !== undefined) return cached;
    const { agreementId } = await this.#customer(customerId);
    const find = sql<{ id: string; agreement_id: string | null }>`
      select id, agreement_id from service_item where customer_id = ${customerId} and name = ${name}
       order by service_id = ${this.#voice.id} desc, id limit 1`;
    let row = await this.#tx.maybeOne(find);
    if (row === undefined) {
      await this.#tx.execute(sql`
        insert into service_item (customer_id, id, service_id, agreement_id, name, created_at)
        values (${customerId}, ${newId(this.#now.getTime())}, ${this.#voice.id}, ${agreementId}, ${name}, ${this.#now})
        on conflict do nothing`);
      row = await this.#tx.one(find);
    }
    const item = { customerId, serviceItemId: row.id, agreementId: row.agreement_id ?? agreementId };
    this.#items.set(ownCopy(key), item);
    return item;
  }

  async #customer(customerId: string): Promise<CustomerContext> {
    const cached = this.#customers.get(customerId);
    if (cached !== undefined) return cached;
    const brand = await findCustomerBrand(this.#tx, customerId, this.#target.resellerId);
    const context = { timeZone: brand.time_zone, agreementId: await this.#agreement(customerId) };
    this.#customers.set(customerId, context);
    return context;
  }

  /** The customer's first agreement; a usage record needs one, so a customer without gets 'Telephony'. */
  async #agreement(customerId: string): Promise<string> {
    const find = sql<{ id: string }>`
      select id from agreement where customer_id = ${customerId} order by started_on nulls last, id limit 1`;
    const known = await this.#tx.maybeOne(find);
    if (known !== undefined) return known.id;
    await this.#tx.execute(sql`
      insert into agreement (customer_id, id, name, external_ref)
      values (${customerId}, ${newId(this.#now.getTime())}, 'Telephony', 'imported') on conflict do nothing`);
    return (await this.#tx.one(find)).id;
  }
}

/** A text cut out of a piece of the file keeps that whole piece in memory; what is kept for long must not. */
const ownCopy = (text: string): string => Buffer.from(text).toString();

/** The reseller's service for calls of an exchange, with a record type for each outcome. */
export interface VoiceService {
  readonly id: string;
  readonly recordTypes: ReadonlyMap<string, string>;
}

/** The reseller's 'Voice' service and its record types, made where missing. */
export async function ensureVoiceService(tx: Tx, resellerId: number, now: Date): Promise<VoiceService> {
  await tx.execute(sql`
    insert into service (id, reseller_id, code, name, service_item_label, service_item2_label, service_item3_label,
                         units_label, record_type_label)
    values (${newId(now.getTime())}, ${resellerId}, 'voice', 'Voice', 'Line', 'Called number', 'Context', 'Seconds',
            'Call')
    on conflict do nothing`);
  const service = await tx.one<{ id: string }>(sql`
    select id from service where reseller_id = ${resellerId} and code = 'voice'`);
  const wanted = Object.values(dispositions).map((entry) => ({ ...entry, id: newId(now.getTime()) }));
  await tx.execute(sql`
    insert into record_type (id, reseller_id, service_id, code, description)
    select t.id, ${resellerId}, ${service.id}, t.code, t.description
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as t(id uuid, code text, description text)
     order by t.code
    on conflict do nothing`);
  const rows = await tx.many<{ id: string; code: string }>(sql`
    select id, code from record_type where reseller_id = ${resellerId} and service_id = ${service.id}`);
  return { id: service.id, recordTypes: new Map(rows.map((row) => [row.code, row.id])) };
}
