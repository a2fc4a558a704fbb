import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Db, Tx } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Clock } from '../deps.ts';

/** Between two rounds that seal what is new. */
export const SEAL_EVERY_MS = 60_000;
/** Lines are sealed so long after what they tell of: most transactions have ended by then. */
const AFTER_MS = 60_000;
const LINES = 2_000;
const SEALS_A_ROUND = 50;
const READ_AT_ONCE = 200;
const NONE = Buffer.alloc(32);

/** Of which form the seals are; the first covered whole lines, of which nothing could be erased. */
const FORM = 2;

/** SHA-256 of what may be about a person in a line, with its salt; what stays when these are erased. */
const digestOfPersonal = sql`
  sha256(convert_to(e.salt::text || jsonb_build_array(e.user_email, e.address, e.detail)::text, 'UTF8'))`;

/** SHA-256 of lines in the order of their ids, each as a list in JSON; null where there are none. */
const digestOfLines = sql`
  sha256(convert_to(string_agg(jsonb_build_array(
    e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.action, e.reseller_id, e.user_id, e.actor,
    e.customer_id, e.session_id, e.request_id, encode(coalesce(e.personal, ${digestOfPersonal}), 'hex'))::text, E'\n' order by e.id), 'UTF8'))`;

/** Takes address, origin and detail out of lines; a line that is sealed keeps the hash of them. @returns how many lines */
export const eraseLines = (tx: Tx, which: Sql<boolean>): Promise<number> =>
  tx.execute(sql`
    update audit_event e
       set personal = case when seal is not null then coalesce(personal, ${digestOfPersonal}) end,
           salt = null, user_email = null, address = null, detail = '{}'
     where ${which}`);

/** A link of the chain. */
interface Seal {
  readonly n: bigint;
  readonly lines: number;
  readonly previous: Buffer;
  readonly digest: Buffer;
}

const hashOf = ({ n, lines, previous, digest }: Seal): Buffer =>
  createHash('sha256').update(previous).update(`${n} ${lines} `).update(digest).digest();

/** A seal as people compare it: its number and its hash. */
export const sealText = ({ n, hash }: { readonly n: bigint; readonly hash: Buffer }): string =>
  `${n}:${hash.toString('hex')}`;

/**
 * Seals lines of the audit trail that have none. The newest seal goes to the log: kept elsewhere, it shows when later the end
 * of the chain is missing or the whole chain was made again.
 */
export async function sealAudit({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<void> {
  const until = new Date(clock.now().getTime() - AFTER_MS);
  let newest: string | undefined;
  for (let made = 0; made < SEALS_A_ROUND; made += 1) {
    const seal = await db.transaction((tx) => sealNext(tx, until, clock.now()));
    if (seal === undefined) break;
    newest = seal;
  }
  if (newest !== undefined) log.info({ seal: newest }, 'audit trail sealed');
}

async function sealNext(tx: Tx, until: Date, now: Date): Promise<string | undefined> {
  const { isMine } = await tx.one<{ isMine: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('counterfoil audit seals')) as "isMine"`,
  );
  if (!isMine) return undefined;
  const last = await tx.maybeOne<{ n: bigint; hash: Buffer }>(
    sql`select n, hash from audit_seal order by n desc limit 1`,
  );
  const n = (last?.n ?? 0n) + 1n;
  const lines = await tx.execute(sql`
    update audit_event set seal = ${n}, salt = gen_random_uuid()
     where id in (select id from audit_event where seal is null and at < ${until} order by id limit ${LINES})`);
  if (lines === 0) return undefined;
  const { digest } = await tx.one<{ digest: Buffer }>(
    sql`select ${digestOfLines} as digest from audit_event e where e.seal = ${n}`,
  );
  const previous = last?.hash ?? NONE;
  const hash = hashOf({ n, lines, previous, digest });
  await tx.execute(sql`
    insert into audit_seal (n, lines, previous, hash, at, form)
    values (${n}, ${lines}, ${previous}, ${hash}, ${now}, ${FORM})`);
  return sealText({ n, hash });
}

/** What is wrong with the chain. */
export interface SealFault {
  /** Number of the seal. */
  readonly seal: string;
  /** When it was made; null where it is not there. */
  readonly at: Date | null;
  readonly fault: string;
}

/** What looking at the whole chain came to. */
export interface AuditCheck {
  readonly seals: number;
  readonly lines: number;
  /** Lines that have no seal yet. */
  readonly unsealed: number;
  /** Sealed lines of which what was about a person is erased; the hash of it stands for it. */
  readonly erased: number;
  /** The moment of the first line that is still there; null where there is none. */
  readonly since: Date | null;
  /** The newest seal; null where there is none. */
  readonly newest: string | null;
  /** The first hundred. */
  readonly faults: readonly SealFault[];
}

interface SealRow {
  n: bigint;
  lines: number;
  previous: Buffer;
  hash: Buffer;
  at: Date;
  found: number;
  digest: Buffer | null;
}

const MOST_FAULTS = 100;

/**
 * Reads the audit trail whole, and tells where it is not what was sealed.
 * @param expected seals that were kept elsewhere, as {@link sealText} writes them
 */
export async function checkAudit(db: Db, expected: readonly string[]): Promise<AuditCheck> {
  const faults: SealFault[] = [];
  const wanted = new Map(expected.map((text) => [text.split(':', 1)[0] ?? '', text]));
  let [seals, lines] = [0, 0];
  let last: SealRow | undefined;
  for (let rows = await readSeals(db, 0n); rows.length > 0; rows = await readSeals(db, last?.n ?? 0n))
    for (const row of rows) {
      faults.push(...faultsOf(row, last, seals === 0));
      const text = wanted.get(`${row.n}`);
      if (text !== undefined && text !== sealText(row))
        faults.push({ seal: `${row.n}`, at: row.at, fault: 'it is not the one that was kept elsewhere' });
      wanted.delete(`${row.n}`);
      seals += 1;
      lines += row.found;
      last = row;
    }
  for (const [n] of wanted)
    faults.push({ seal: n, at: null, fault: 'it was kept elsewhere, and is not here' });
  const rest = await db.one<{ unsealed: number; strays: number; erased: number; since: Date | null }>(sql`
    select (select count(*)::int from audit_event where seal is null) as unsealed,
           (select count(*)::int from audit_event e where seal is not null
               and not exists (select from audit_seal s where s.n = e.seal)) as strays,
           (select count(*)::int from audit_event where personal is not null) as erased,
           (select min(at) from audit_event) as since`);
  if (rest.strays > 0)
    faults.push({ seal: '–', at: null, fault: `lines name a seal that is not here: ${rest.strays}` });
  const { unsealed, erased, since } = rest;
  return {
    seals,
    lines,
    unsealed,
    erased,
    since,
    newest: last === undefined ? null : sealText(last),
    faults: faults.slice(0, MOST_FAULTS),
  };
}

const readSeals = (db: Db, after: bigint): Promise<SealRow[]> =>
  db.many<SealRow>(sql`
    select s.n, s.lines, s.previous, s.hash, s.at, count(e.id)::int as found, ${digestOfLines} as digest
      from (select * from audit_seal where n > ${after} order by n limit ${READ_AT_ONCE}) s
      left join audit_event e on e.seal = s.n
     group by s.n, s.lines, s.previous, s.hash, s.at order by s.n`);

/** Old lines may have been deleted with their seals, the oldest first: then the chain begins later. */
function faultsOf(row: SealRow, last: SealRow | undefined, isFirst: boolean): readonly SealFault[] {
  const { n, lines, found, previous, digest, hash, at } = row;
  const fault = (words: string): SealFault => ({ seal: `${n}`, at, fault: words });
  const faults: SealFault[] = [];
  if (!isFirst && last !== undefined && n !== last.n + 1n)
    faults.push(fault(`seals before it are missing: ${n - last.n - 1n}`));
  else if (!previous.equals(last?.hash ?? (n === 1n ? NONE : previous)))
    faults.push(fault('it does not follow from the seal before'));
  if (found < lines) faults.push(fault(`lines are missing: ${lines - found} of ${lines}`));
  else if (found > lines) faults.push(fault(`lines were put in later: ${found - lines}`));
  else if (digest === null || !hashOf({ n, lines, previous, digest }).equals(hash))
    faults.push(fault('lines were changed'));
  return faults;
}
