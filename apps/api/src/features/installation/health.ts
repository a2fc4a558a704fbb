import type { HealthCheck, InstallationHealth } from '@counterfoil/contract/operator/running/installation.ts';
import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { Readiness } from '../../http/answers/health.ts';
import { readWorkers } from '../../jobs/presence.ts';
import { readQueue } from '../../jobs/queue.ts';
import { VERSION } from '../../version.ts';
import { withTimeout } from '../../with-timeout.ts';
import { readBacklog } from '../payments/service.ts';
import { countGateways, countMails, listRounds } from './queries.ts';
import { stateOfRound } from './rounds.ts';

export interface HealthDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether there is a mail server; else mails become files. */
  readonly hasMailServer: boolean;
  /** What readiness says of the database and the disks: `ok`, or what is wrong. */
  readonly readiness: () => Promise<Readiness>;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** One part that does not answer holds up no other for longer. */
const WITHIN_MS = 5_000;
/** A job that waits longer was due when a worker should have had time for it. */
const LATE_SECONDS = 60;

type Found = Pick<HealthCheck, 'state' | 'found'>;

/** How the installation is. Each part is looked at by itself. */
export async function readHealth(deps: HealthDeps): Promise<InstallationHealth> {
  const now = deps.clock.now();
  const parts: readonly (readonly [HealthCheck['what'], () => Promise<Found>])[] = [
    ['database', () => database(deps)],
    ['disk', () => disk(deps)],
    ['workers', () => workers(deps)],
    ['queue', () => queue(deps)],
    ['rounds', () => rounds(deps, now)],
    ['mail', () => mail(deps, now)],
    ['webhooks', () => webhooks(deps, now)],
    ['gateways', () => gateways(deps)],
  ];
  const silent: Found = { state: 'fault', found: 'could not be looked at' };
  const checks = await Promise.all(
    parts.map(async ([what, look]) => ({
      what,
      ...(await withTimeout(
        WITHIN_MS,
        look().catch(() => silent),
        silent,
      )),
    })),
  );
  return { at: now.toISOString(), version: VERSION, checks };
}

async function database({ db, readiness }: HealthDeps): Promise<Found> {
  const began = performance.now();
  const about = await db.one<{ version: string; bytes: bigint }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`);
  const ms = Math.max(1, Math.round(performance.now() - began));
  const said = (await readiness()).database;
  const facts = `answers in ${ms} ms; PostgreSQL ${about.version}, ${formatBytes(about.bytes)}`;
  return said === 'ok' ? { state: 'ok', found: facts } : { state: 'fault', found: `${said}; ${facts}` };
}

async function disk({ readiness }: HealthDeps): Promise<Found> {
  const said = (await readiness()).disk;
  return said === 'ok' ? { state: 'ok', found: 'has room' } : { state: 'fault', found: said };
}

async function workers({ db }: HealthDeps): Promise<Found> {
  const { alive } = await readWorkers(db);
  return alive
    ? { state: 'ok', found: 'at work' }
    : { state: 'fault', found: 'none lives: no mail is sent, nothing is looked up' };
}

async function queue({ db }: HealthDeps): Promise<Found> {
  const { waiting, givenUp, oldestSeconds } = await readQueue(db);
  const found = `${waiting} wait, ${givenUp} given up`;
  if (oldestSeconds > LATE_SECONDS)
    return { state: 'warning', found: `${found}; one is due since ${Math.round(oldestSeconds / 60)} min` };
  return { state: givenUp > 0 ? 'warning' : 'ok', found };
}

async function rounds({ db }: HealthDeps, now: Date): Promise<Found> {
  const all = await listRounds(db);
  const bad = all.filter((row) => ['failing', 'overdue'].includes(stateOfRound(row, now)));
  if (bad.length === 0) return { state: 'ok', found: `${all.length} go well` };
  return { state: 'fault', found: `failing or overdue: ${bad.map(({ name }) => name).join(', ')}` };
}

async function mail({ db, hasMailServer }: HealthDeps, now: Date): Promise<Found> {
  const counts = await countMails(db, new Date(now.getTime() - DAY_MS));
  const of = (...states: string[]) =>
    counts.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0);
  const failed = of('failing', 'refused', 'givenUp');
  const found = `${of('sent')} sent and ${failed} not delivered in a day`;
  if (!hasMailServer) return { state: 'warning', found: `no mail server is set; ${found}` };
  return { state: failed > 0 ? 'warning' : 'ok', found };
}

async function webhooks({ db }: HealthDeps, now: Date): Promise<Found> {
  const { waiting, oldest, forPerson } = await readBacklog(db, now);
  const found = `${waiting} wait, ${forPerson.length} need a person`;
  const isLate = oldest !== null && now.getTime() - oldest.getTime() > 10 * MINUTE_MS;
  return { state: isLate || forPerson.length > 0 ? 'warning' : 'ok', found };
}

async function gateways({ db }: HealthDeps): Promise<Found> {
  const { active, paused } = await countGateways(db);
  return { state: paused > 0 ? 'warning' : 'ok', found: `${active} in use, ${paused} paused` };
}
