import { pipeline } from 'node:stream/promises';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';

import { from as copyFrom } from 'pg-copy-streams';
import type { Database, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tracedStatement } from '../../../tracing/statements.ts';
import { Asides } from '../quarantine/asides.ts';
import { Rejections } from '../report/rejections.ts';
import type { Target } from '../whose.ts';
import { UsageCatalogue } from './catalogue.ts';
import { type UsageOwner, UsageOwners } from './owners.ts';
import type { RejectedLine, RejectedRow, UsageRow } from './row.ts';
import { readUsage } from './rows.ts';

export interface StageOptions {
  readonly target: Target;
  readonly mapping: UsageMapping;
  /** Zone of times that name none; undefined: that of each customer's brand. */
  readonly timeZone: string | undefined;
  readonly now: Date;
  /** Nothing is made known: neither lines nor record types. */
  readonly isDryRun?: boolean | undefined;
  /** Called now and then with the number of rows read so far. */
  readonly onRead: (rows: number) => Promise<void> | void;
}

/** What a file came to before any of it is in. */
export interface Staged {
  readonly rejected: Rejections;
  readonly warnings: readonly string[];
  /** What the file's own header calls its columns. */
  readonly columns: readonly string[] | null;
}

/** No exchange recorded calls before; a clock that was never set did. */
const earliestMs = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

/**
 * Reads the whole file into the temporary table `usage_staged` of this connection, with its owners found and its lines
 * and record types made known. No usage record is touched: a file that turns out to be none leaves nothing behind.
 * @param db for look-ups, on other connections
 * @throws {MappingMismatch}
 */
export async function stageUsage(
  db: Database,
  tx: Tx,
  bytes: AsyncIterable<Uint8Array>,
  options: StageOptions,
): Promise<Staged> {
  const { target, mapping, timeZone, now, onRead, isDryRun = false } = options;
  await createStaged(tx);
  const asides = new Asides(mapping.format);
  await asides.create(tx);
  const { resellerId } = target;
  const catalogue = await UsageCatalogue.open(db, mapping, { resellerId, now, isDryRun });
  const zone = mapping.startedAt.zone ?? timeZone;
  const owners = new UsageOwners({ db, target, catalogue, timeZone: zone, now, isDryRun });
  const staging = new Staging(mapping, owners, catalogue, now);
  let copying: Promise<void> = Promise.resolve();
  let [rows, isOpen] = [0, false];
  let columns: readonly string[] | null = null;
  try {
    for await (const batch of readUsage(bytes, mapping)) {
      rows += batch.records.length + batch.rejected.length;
      ({ isOpen, columns } = batch);
      const before: readonly (RejectedLine | RejectedRow)[] = batch.rejected;
      await catalogue.prepare(batch.records);
      await owners.prepare(batch.records);
      const { text, rejected } = staging.textOf(batch.records);
      staging.rejected.add([...before, ...rejected]);
      // The database takes these in while the next ones are read.
      await copying;
      copying = copyStaged(tx, text).then(() => asides.add(tx, [...before, ...rejected]));
      copying.catch(() => undefined);
      await onRead(rows);
    }
  } finally {
    await copying.catch(() => undefined);
  }
  await copying;
  return { rejected: staging.rejected, warnings: staging.warnings(isOpen), columns };
}

async function createStaged(tx: Tx): Promise<void> {
  await tx.execute(sql`drop table if exists usage_staged`);
  await tx.execute(sql`
    create temporary table usage_staged (
      line bigint not null, key text collate "C" not null, customer_id uuid not null, started_at timestamptz not null,
      agreement_id uuid not null, record_type_id uuid not null, service_item_id uuid not null,
      service_item2 text collate "C" not null, service_item3 text collate "C" not null, units numeric(18,6) not null,
      price numeric(18,6) not null, has_price boolean not null, said text collate "C" not null)`);
}

const COPY = 'copy usage_staged from stdin';

async function copyStaged(tx: Tx, text: string): Promise<void> {
  if (text === '') return;
  const client = await tx.connection();
  await tracedStatement(COPY, () => pipeline([text], client.query(copyFrom(COPY))));
}

/** Writes records as COPY takes them, and keeps what cannot be placed. */
class Staging {
  readonly rejected = new Rejections();
  readonly #mapping: UsageMapping;
  readonly #owners: UsageOwners;
  readonly #catalogue: UsageCatalogue;
  readonly #latestMs: number;
  /** Records without a price, by the currency it was in. */
  readonly #foreign = new Map<string, number>();

  constructor(mapping: UsageMapping, owners: UsageOwners, catalogue: UsageCatalogue, now: Date) {
    this.#mapping = mapping;
    this.#owners = owners;
    this.#catalogue = catalogue;
    this.#latestMs = now.getTime() + DAY_MS;
  }

  /** @returns what COPY takes, and what has no place */
  textOf(records: readonly UsageRow[]): { readonly text: string; readonly rejected: readonly RejectedRow[] } {
    let text = '';
    const rejected: RejectedRow[] = [];
    for (const record of records) {
      const line = this.#lineOf(record);
      if (typeof line === 'string') text += line;
      else rejected.push(line);
    }
    return { text, rejected };
  }

  warnings(isOpen: boolean): readonly string[] {
    const currencies = [...this.#foreign].map(
      ([currency, n]) =>
        `${n} records are in ${currency}, which their customer's brand does not bill in: taken without a price`,
    );
    const end =
      'the last line has no line end: if the file was cut off there, import it again when it is whole';
    return [...currencies, ...(isOpen ? [end] : [])];
  }

  /** One line of COPY's text form, or why the record has no place. */
  #lineOf(row: UsageRow): string | RejectedRow {
    const owner = this.#owners.ownerOf(row);
    const { line, key, fields } = row;
    if ('cause' in owner) return { line, key, fields, ...owner };
    const unread = { line, key, fields, cause: 'mapping', missing: [] } as const;
    const type = this.#catalogue.type(row.service, row.typeCode);
    if (type === null) {
      return { ...unread, reason: `too many record types; '${row.typeCode}' would be another one` };
    }
    if (row.unit !== null && type.unit !== null && row.unit !== type.unit) {
      const reason = `record type '${row.typeCode}' is counted in ${type.unit}s, this row in ${row.unit}s: scale them or name another type`;
      return { ...unread, reason };
    }
    const ms = row.ms ?? owner.clock.instantOf(row.wallMs);
    if (ms < earliestMs || ms > this.#latestMs) {
      return { ...unread, reason: this.#unlikely(row) };
    }
    const price = this.#priceOf(row, owner);
    // What a correction may change and the columns before do not say.
    const said = `${row.itemName}\u001F${row.currency}\u001F${row.agreement}`;
    return `${row.line}\t${escaped(row.key)}\t${owner.customerId}\t${new Date(ms).toISOString()}\t${owner.agreementId}\t${type.id}\t${owner.serviceItemId}\t${escaped(row.serviceItem2)}\t${escaped(row.serviceItem3)}\t${row.units}\t${price ?? '0'}\t${price === null ? 'f' : 't'}\t${escaped(said)}\n`;
  }

  #unlikely({ startedText }: UsageRow): string {
    const { column } = this.#mapping.startedAt;
    const at = this.#mapping.csv.columns?.indexOf(column) ?? -1;
    const place = at < 0 ? `'${column}'` : `column ${at + 1} (${column})`;
    return `${place}: ${startedText} is not a likely time for a record`;
  }

  #priceOf({ price, currency }: UsageRow, owner: UsageOwner): string | null {
    if (price === null || currency === '' || currency === owner.currency) return price;
    this.#foreign.set(currency, (this.#foreign.get(currency) ?? 0) + 1);
    return null;
  }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const mustEscape = /[\\\t\n\r]/;
const escaped = (text: string): string =>
  mustEscape.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : text;
