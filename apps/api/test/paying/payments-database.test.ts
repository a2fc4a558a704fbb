import { expect, it } from 'vitest';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { useTroubledDatabase } from '../fixtures/trouble/database-trouble.ts';
import { databaseRun, type Trouble } from '../processes/database-run.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES, SEED } from '../simulation/seeded.ts';

/**
 * The database is killed, restarted or falls silent while all operations that move money are under way. What was
 * answered stands afterwards, nobody waits long, and the sandbox's journal and the books agree.
 */
const ROUNDS = PROVES ? 8 : 1;
const database = useTroubledDatabase();
const sandbox = useSandboxFixture({}, { database, statementTimeoutMs: PROVES ? 10_000 : 2_000 });
const run = faultRun(sandbox);
const paying = databaseRun(sandbox, run);

const late: { end?: () => void } = {};
const troubles: readonly (Trouble & { readonly name: string; readonly rounds: number })[] = [
  { name: 'killed', rounds: ROUNDS, begin: () => database.kill() },
  { name: 'losing a backend', rounds: ROUNDS, begin: () => database.killBackend() },
  { name: 'restarted', rounds: ROUNDS, begin: () => database.restart() },
  {
    name: 'silent',
    rounds: Math.ceil(ROUNDS / 2),
    begin() {
      late.end = database.blackHole();
    },
    end: () => late.end?.(),
  },
];

it.each(troubles)(
  'a database that is $name while all operations are under way',
  async ({ name, rounds, ...trouble }) => {
    for (let round = 0; round < rounds; round += 1) await paying.round(name, trouble);
    await paying.judge();
  },
  // A job whose worker never heard of it waits for half a minute.
  PROVES ? 900_000 : 180_000,
);

it('told', () => {
  // A run that never hit anything, or not the gap between the gateway's answer and our commit, would prove nothing.
  for (const { name } of PROVES ? troubles : troubles.slice(0, 1))
    expect(run.counts[`refused while ${name}`]).toBeGreaterThan(0);
  if (PROVES) expect(run.counts['found out afterwards']).toBeGreaterThan(0);
  process.stdout.write(`database in trouble while paying, seed ${SEED}: ${JSON.stringify(run.counts)}\n`);
});
