import { newId } from '@counterfoil/domain/text/ids.ts';
import { isTimeZone } from '@counterfoil/domain/time/dates.ts';
import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import {
  ensureAgreement,
  findCustomers,
  findItems,
  makeItems,
  setCostCentres,
  type WantedItem,
} from '../owner-queries.ts';
import type { Target } from '../whose.ts';
import type { UsageCatalogue } from './catalogue.ts';
import { ZoneClock } from './record-time.ts';
import type { RejectedRow, UsageRow } from './row.ts';

/** Where a record belongs. */
export interface UsageOwner {
  readonly customerId: string;
  readonly serviceItemId: string;
  readonly agreementId: string;
  readonly clock: ZoneClock;
  /** ISO code of what the customer's brand bills in. */
  readonly currency: string;
}

/** Why a record has no owner. */
export type NoOwner = Pick<RejectedRow, 'cause' | 'reason' | 'missing'>;

interface KnownNumber {
  readonly customerId: string;
  readonly serviceItemId: string | null;
}

interface Customer {
  readonly clock: ZoneClock;
  readonly currency: string;
  /** The first one. */
  readonly agreementId: string;
  /** By the provider's reference, and by name. */
  readonly agreements: ReadonlyMap<string, string>;
}

interface Item {
  readonly id: string;
  readonly agreementId: string | null;
  costCentre: string | null;
}

export interface OwnerDeps {
  readonly db: Database;
  readonly target: Target;
  readonly catalogue: UsageCatalogue;
  /** Zone of times that name none; undefined: that of each customer's brand. */
  readonly timeZone: string | undefined;
  readonly now: Date;
  /** No line and no agreement is made: what is not known gets an id that nothing has. */
  readonly isDryRun: boolean;
}

/** What is remembered is dropped beyond this many, so that a large file needs no more memory than a small one. */
const cacheLimit = 200_000;

/**
 * Finds whose a record is: by an account code, else by the number of a line, each known for the reseller; else the
 * import's default customer, whose line is made known where it is new. A batch needs as many statements as kinds of
 * look-ups, however many rows it has.
 */
export class UsageOwners {
  readonly #deps: OwnerDeps;
  readonly #numbers = new Map<string, KnownNumber | null>();
  readonly #customers = new Map<string, Customer>();
  readonly #items = new Map<string, Item>();
  readonly #clocks = new Map<string, ZoneClock>();

  constructor(deps: OwnerDeps) {
    this.#deps = deps;
  }

  /** Looks up, and makes, whatever the rows of a batch need. Call before asking for their owners. */
  async prepare(rows: readonly UsageRow[]): Promise<void> {
    for (const cache of [this.#numbers, this.#items]) if (cache.size > cacheLimit) cache.clear();
    await this.#prepareNumbers(rows);
    await this.#prepareCustomers(rows);
    await this.#prepareItems(rows);
  }

  /** @returns the owner, or why there is none */
  ownerOf(row: UsageRow): UsageOwner | NoOwner {
    const known = this.#known(row);
    const customerId = known?.customerId ?? this.#deps.target.defaultCustomerId;
    const customer = customerId === null ? undefined : this.#customers.get(customerId);
    if (customerId === null || customer === undefined)
      return {
        cause: 'owner',
        reason: nobodyKnown(row),
        missing: [...row.accountCodes, ...row.lines].filter(Boolean),
      };
    const item = this.#items.get(itemKey(customerId, known, row));
    if (item === undefined)
      return { cause: 'busy', reason: `the line '${nameOf(row)}' could not be made known`, missing: [] };
    const agreementId =
      row.agreement === ''
        ? (item.agreementId ?? customer.agreementId)
        : customer.agreements.get(row.agreement);
    if (agreementId === undefined)
      return { cause: 'agreement', reason: `the customer has no agreement '${row.agreement}'`, missing: [] };
    const { clock, currency } = customer;
    return { customerId, serviceItemId: item.id, agreementId, clock, currency };
  }

  #known({ accountCodes, lines }: UsageRow): KnownNumber | undefined {
    for (const numbers of [accountCodes, lines]) {
      for (const number of numbers) {
        const known = this.#numbers.get(number);
        if (known != null) return known;
      }
    }
    return undefined;
  }

  /**
   * A record's numbers are asked for one after another, only until one is known: those called are many, and nearly
   * never somebody's here.
   */
  async #prepareNumbers(rows: readonly UsageRow[]): Promise<void> {
    for (let place = 0, open = rows; open.length > 0; place += 1) {
      await this.#findNumbers(open.map((row) => numberAt(row, place)));
      open = open.filter((row) => numberAt(row, place + 1) !== undefined && this.#known(row) === undefined);
    }
  }

  async #findNumbers(numbers: readonly (string | undefined)[]): Promise<void> {
    const wanted = new Set<string>();
    for (const number of numbers) if (number && !this.#numbers.has(number)) wanted.add(number);
    if (wanted.size === 0) return;
    for (const number of wanted) this.#numbers.set(ownCopy(number), null);
    const { db, target } = this.#deps;
    // A line says more than an account code of the same digits, so it is read last.
    const found = await db.many<{ number: string; customer_id: string; service_item_id: string | null }>(sql`
      select value as number, customer_id, null::uuid as service_item_id from customer_identity
       where reseller_id = ${target.resellerId} and kind = 'accountCode' and value = any(${[...wanted]}::text[])
      union all
      select number, customer_id, service_item_id from service_item_number
       where reseller_id = ${target.resellerId} and number = any(${[...wanted]}::text[])`);
    for (const row of found) {
      this.#numbers.set(row.number, { customerId: row.customer_id, serviceItemId: row.service_item_id });
    }
  }

  async #prepareCustomers(rows: readonly UsageRow[]): Promise<void> {
    const { db, target, timeZone, now, isDryRun } = this.#deps;
    const wanted = new Set<string>();
    for (const row of rows) {
      const customerId = this.#known(row)?.customerId ?? target.defaultCustomerId;
      if (customerId !== null && !this.#customers.has(customerId)) wanted.add(customerId);
    }
    if (wanted.size === 0) return;
    for (const found of await findCustomers(db, [...wanted], target.resellerId)) {
      const zone = timeZone ?? (isTimeZone(found.time_zone) ? found.time_zone : 'UTC');
      const clock = this.#clocks.get(zone) ?? new ZoneClock(zone);
      this.#clocks.set(zone, clock);
      const agreementId =
        found.agreements[0]?.id ??
        (isDryRun ? newId(now.getTime()) : await ensureAgreement(db, found.customer_id, now));
      const agreements = new Map<string, string>();
      for (const { id, name } of found.agreements) agreements.set(name, id);
      for (const { id, ref } of found.agreements) if (ref !== null) agreements.set(ref, id);
      this.#customers.set(found.customer_id, { clock, currency: found.currency, agreementId, agreements });
    }
  }

  async #prepareItems(rows: readonly UsageRow[]): Promise<void> {
    const { db, target, catalogue, now, isDryRun } = this.#deps;
    const wanted = new Map<string, Omit<WantedItem, 'key'>>();
    const centres = new Map<string, { customer: string; centre: string }>();
    for (const row of rows) {
      const known = this.#known(row);
      const customer = known?.customerId ?? target.defaultCustomerId;
      if (customer === null) continue;
      const key = itemKey(customer, known, row);
      const service = catalogue.service(row.service);
      const agreement = this.#customers.get(customer)?.agreementId ?? null;
      if (!this.#items.has(key))
        wanted.set(key, {
          customer,
          item: known?.serviceItemId ?? null,
          name: nameOf(row),
          service,
          agreement,
        });
      if (row.costCentre !== '' && !centres.has(key)) centres.set(key, { customer, centre: row.costCentre });
    }
    if (wanted.size > 0) {
      const asked = [...wanted].map(([key, one]) => ({ key, ...one }));
      if (!isDryRun) await makeItems(db, asked, now);
      for (const { key, id, agreement_id, cost_centre } of await findItems(db, asked)) {
        this.#items.set(ownCopy(key), { id, agreementId: agreement_id, costCentre: cost_centre });
      }
      if (isDryRun)
        for (const { key } of asked)
          if (!this.#items.has(key))
            this.#items.set(ownCopy(key), { id: newId(now.getTime()), agreementId: null, costCentre: null });
    }
    const empty = [...centres].flatMap(([key, { customer, centre }]) => {
      const item = this.#items.get(key);
      if (item === undefined || item.costCentre !== null) return [];
      item.costCentre = centre;
      return [{ customer, item: item.id, centre }];
    });
    if (empty.length > 0 && !isDryRun) await setCostCentres(db, empty);
  }
}

/** The account codes come before the lines. */
const numberAt = ({ accountCodes, lines }: UsageRow, place: number): string | undefined =>
  accountCodes[place] ?? lines[place - accountCodes.length];

const nameOf = (row: UsageRow): string => row.itemName || 'unknown';

const itemKey = (customerId: string, known: KnownNumber | undefined, row: UsageRow): string =>
  known?.serviceItemId == null ? `${customerId} ${row.service} ${nameOf(row)}` : known.serviceItemId;

function nobodyKnown({ accountCodes, lines, itemName }: UsageRow): string {
  const codes = accountCodes.filter((code) => code !== '').map((code) => `account code '${code}'`);
  const numbers = lines.map((line) => `line '${line}'`);
  const head = codes.map((code) => `${code}, `).join('');
  if (numbers.length > 0) return `nobody is known by ${head}${numbers.join(' or ')}`;
  if (codes.length > 0) return `nobody is known by ${codes.join(' or ')}`;
  return `'${itemName}' names no customer; say whose it is (--customer)`;
}

/** A text cut out of a piece of the file keeps that whole piece in memory; what is kept for long must not. */
const ownCopy = (text: string): string => Buffer.from(text).toString();
