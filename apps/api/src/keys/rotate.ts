import pg from 'pg';
import type { Database, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { keepNewKey, readKeyStand } from '../key-check.ts';
import type { SecretKeys } from '../secrets.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** What changing the key came to. */
export interface Rotated {
  /** Values that were sealed again now. */
  readonly sealed: number;
  /** Values that neither key opens, by table and column: they could not be opened before either. */
  readonly unreadable: Readonly<Record<string, number>>;
}

/** The key cannot be changed, or not yet; the message says why. */
export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

const AT_ONCE = 500;
/** A server that seals with the old key meanwhile makes another round necessary. */
const ROUNDS = 3;

/**
 * Seals everything again that is sealed with the key before, while servers run that know both. Safe to run twice, by several and
 * after it was killed: what is done is passed by. Then the database's key is the new one.
 * @param record puts it on record, in the transaction that makes the new key the database's
 * @throws {RotationRefused} where there is nothing to change, or somebody still seals with the old key
 */
export async function rotateKeys(
  db: Database,
  secrets: SecretKeys,
  record: (tx: Tx, rotated: Rotated) => Promise<void>,
): Promise<Rotated> {
  if ((await readKeyStand(db, secrets)) === 'wrong')
    throw new RotationRefused('neither SECRET_KEY nor SECRET_KEY_FALLBACK is the key of this database');
  if (secrets.fallbackCheck === undefined)
    throw new RotationRefused(
      'set SECRET_KEY_FALLBACK to the key that is to go, and SECRET_KEY to the new one',
    );
  let sealed = 0;
  for (let round = 1; ; round += 1) {
    const unreadable: Record<string, number> = {};
    let now = 0;
    for (const column of SEALED_COLUMNS) {
      const done = await sealColumn(db, secrets, column);
      now += done.sealed;
      if (done.unreadable > 0) unreadable[`${column.table}.${column.column}`] = done.unreadable;
    }
    sealed += now;
    if (now > 0 && round < ROUNDS) continue;
    if (now > 0)
      throw new RotationRefused(
        'values sealed with the old key keep coming: restart every server and worker with the new SECRET_KEY, then run this again',
      );
    const rotated = { sealed, unreadable };
    await db.transaction(async (tx) => {
      await keepNewKey(tx, secrets);
      await record(tx, rotated);
    });
    return rotated;
  }
}

interface SealedRow {
  readonly keys: readonly string[];
  readonly context: string;
  readonly sealed: Buffer;
}

interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

async function sealColumn(
  db: Database,
  secrets: SecretKeys,
  { table, column, context }: SealedColumn,
): Promise<{ readonly sealed: number; readonly unreadable: number }> {
  const keys = await primaryKeyOf(db, table);
  const value = pg.escapeIdentifier(column);
  const names = keys.map(({ name }) => pg.escapeIdentifier(name));
  const given = keys.map(({ type }, at) => `$${at + 1}::text::${type}`);
  let [sealed, unreadable] = [0, 0];
  let after: readonly string[] | undefined;
  for (;;) {
    const last = after;
    const rows = await db.withConnection(async (client) => {
      const { rows: found } = await client.query<SealedRow>(
        `select array[${names.map((name) => `${name}::text`).join(', ')}] as keys, ${context} as context, ${value} as sealed
           from ${pg.escapeIdentifier(table)}
          where ${value} is not null and substring(${value} from 1 for 5) <> $${keys.length + 1}
            and ($${keys.length + 2} or (${names.join(', ')}) > (${given.join(', ')}))
          order by ${names.join(', ')} limit ${AT_ONCE}`,
        [...(last ?? keys.map(() => null)), secrets.sealedBegin, last === undefined],
      );
      return found;
    });
    for (const row of rows) {
      const fresh = sealAgain(secrets, row);
      if (fresh === undefined) unreadable += 1;
      // Who has changed the value meanwhile has sealed it with a key of theirs: it is looked at in the next round.
      else
        sealed += await db.withConnection(async (client) => {
          const { rowCount } = await client.query(
            `update ${pg.escapeIdentifier(table)} set ${value} = $${keys.length + 1}
              where (${names.join(', ')}) = (${given.join(', ')}) and ${value} = $${keys.length + 2}`,
            [...row.keys, fresh, row.sealed],
          );
          return rowCount ?? 0;
        });
    }
    after = rows.at(-1)?.keys;
    if (after === undefined || rows.length < AT_ONCE) return { sealed, unreadable };
  }
}

function sealAgain(secrets: SecretKeys, { sealed, context }: SealedRow): Buffer | undefined {
  try {
    return secrets.seal(secrets.open(sealed, context), context);
  } catch {
    return undefined;
  }
}

const primaryKeyOf = (db: Database, table: string): Promise<readonly KeyColumn[]> =>
  db.many<KeyColumn>(sql`
    select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = ${table}::regclass and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`);
