import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { type Disk, NEXT_SEGMENT, useSmallDisk, whyNoSmallDisk } from '../fixtures/trouble/small-disk.ts';
import { databaseRun } from '../processes/database-run.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES, SEED } from '../simulation/seeded.ts';

/**
 * The disk of the database runs full while all operations that move money are under way, and has room again later.
 * Full tables: statements are refused. Full journal (WAL): PostgreSQL ends itself and cannot start until there is room.
 */
const ROUNDS = PROVES ? 6 : 1;
/** While it is full everybody presses again, and again. */
const FULL_MS = PROVES ? 4_000 : 1_500;
const impossible = whyNoSmallDisk();
if (impossible !== undefined)
  process.stdout.write(
    `disk full while paying: not run, no small file system can be made here: ${impossible}\n`,
  );

describe.skipIf(impossible !== undefined)('a full disk', () => {
  const disk = useSmallDisk();
  const sandbox = useSandboxFixture(
    {},
    { database: disk, statementTimeoutMs: 2_000, env: () => ({ DATA_DIR: disk.folder }) },
  );
  const run = faultRun(sandbox);
  const paying = databaseRun(sandbox, run);
  const logged = () => [...paying.server.lines, ...paying.worker.lines].join('\n');

  // Nearly every row takes a new page: else the little that is written here would fit into the room that pages have.
  beforeAll(async () => {
    const tables = await run.rows<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of tables) await run.rows(`alter table ${name} set (fillfactor = 10)`);
  });

  /** The journal goes on in the segments it has: only when these are used up it needs more. The disk holds 13. */
  async function useUpJournal(): Promise<void> {
    for (let segments = 0; segments < 13; segments += 1) {
      const isUsedUp = await run.rows(NEXT_SEGMENT).then(
        () => false,
        () => true,
      );
      if (isUsedUp) return;
    }
  }

  // Each try to start listens for a moment: who comes then is cut off when it is given up.
  const gone =
    /^the (database (cannot be reached|is stopping or starting)|connection to the database broke|disk of the database is full)$/;
  const kinds: readonly { name: string; disks: readonly Disk[]; readiness: object }[] = [
    {
      name: 'tables full',
      disks: ['tables'],
      readiness: { database: 'the disk of the database is full', disk: 'full' },
    },
    {
      name: 'journal full',
      disks: ['journal'],
      readiness: { database: expect.stringMatching(gone), disk: 'ok' },
    },
    {
      name: 'tables and journal full',
      disks: ['tables', 'journal'],
      readiness: { database: expect.stringMatching(gone), disk: 'full' },
    },
  ];
  it.each(PROVES ? kinds : kinds.slice(0, 2))(
    '$name while all operations are under way',
    async ({ name, disks, readiness }) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await disk.prepare();
        await paying
          .round(name, {
            isEarly: round % 2 === 0,
            async begin() {
              for (const one of disks) await disk.fill(one);
              if (disks.includes('journal')) await useUpJournal();
            },
            async meanwhile(pressAll) {
              for (const end = Date.now() + FULL_MS; Date.now() < end; await sleep(100)) await pressAll();
              const ready = await paying.ask('/readyz');
              expect(ready).toMatchObject({ status: 503, body: { status: 'notReady', checks: readiness } });
            },
            async end() {
              for (const one of disks) await disk.free(one);
            },
          })
          .catch((error: unknown) => {
            throw new Error(
              `the keeper says: ${disk.notices.slice(-2).join('\n')}\nthe server says: ${disk.log()}`,
              {
                cause: error,
              },
            );
          });
      }
      await paying.judge();
    },
    PROVES ? 900_000 : 150_000,
  );

  it('told', () => {
    process.stdout.write(`disk full while paying, seed ${SEED}: ${JSON.stringify(run.counts)}\n`);
    expect(run.counts['refused while journal full']).toBeGreaterThan(0);
    expect(run.counts['refused while tables full']).toBeGreaterThan(0);
    // When the gateway's events come is a matter of chance in a short run.
    if (PROVES) expect(run.counts['webhook: 503']).toBeGreaterThan(0);
    // In the product's log, and in what the keeper of the embedded database says.
    expect(logged()).toContain('the disk of the database is full');
    expect(disk.notices.join('\n')).toMatch(/could not be started again: .*No space left on device/);
  });
});
