import { readSettings } from '../../../config.ts';
import { hasCitus, readCatalogue } from '../../../db/catalogue.ts';
import { Database, type Db } from '../../../db/database.ts';
import { type DistributionPlan, planDistribution } from '../../../db/distribution.ts';
import { sql } from '../../../db/sql.ts';
import { tableClasses } from '../../../db/table-classes.ts';
import { noWords } from '../../arguments/arguments.ts';
import { prepareDatabase } from '../../begin.ts';
import { type Command, CommandError, type Invocation } from '../../command.ts';
import { openQuietly } from '../../with-runtime.ts';

/** Spreading a table copies its rows. */
const STATEMENT_MS = 12 * 3_600_000;
const NAME = 'counterfoil distribute';

const distributeCommand: Command = {
  usage: '[--dry-run] [--tidy]',
  details: [
    'Needs a PostgreSQL with the citus extension whose coordinator and workers are registered, and nothing else of',
    'Counterfoil running. Each table is a step of its own; run again after an interruption, or when a new version brought',
    'new tables, it does what is left. Back up first: there is no command for the way back.',
    '',
    '--tidy, afterwards, frees the room that the rows took on the coordinator before.',
  ],
  options: {
    'dry-run': { type: 'boolean', help: 'print the statements and change nothing; works without Citus' },
    tidy: { type: 'boolean', help: 'remove the rows that the coordinator kept beside the spread ones' },
  },
  async run(invocation) {
    noWords(invocation);
    const runtime = await openQuietly(readSettings());
    const db = new Database({
      url: runtime.databaseUrl,
      name: NAME,
      max: 1,
      statementTimeoutMs: STATEMENT_MS,
      onIdleError: (error) => runtime.log.warn({ err: error }, 'an idle connection ended'),
    });
    try {
      // By this connection alone: others would be counted as those of a server.
      await prepareDatabase({ ...runtime, databases: { ...runtime.databases, web: db } });
      const plan = planDistribution(await readCatalogue(db), tableClasses);
      if (invocation.flag('dry-run')) return printPlan(invocation, plan);
      if (plan.faults.length > 0)
        throw new CommandError(`the tables cannot be spread: ${plan.faults.join('; ')}`);
      await refuseUnready(db);
      const ran = await run(db, statementsOf(plan, invocation.flag('tidy')));
      invocation.print({ ran }, [
        ...ran,
        ran.length === 0 ? 'Every table is where it belongs.' : `Done: ${ran.length}.`,
      ]);
      return 0;
    } finally {
      await db.end();
      await runtime.close();
    }
  },
};

function printPlan(invocation: Invocation, plan: DistributionPlan): number {
  const stays = plan.steps.filter((step) => step.tableClass === 'lookUp').map((step) => step.table);
  invocation.print(plan, [
    ...plan.steps.flatMap(({ statement }) => (statement === null ? [] : [`${statement};`])),
    '',
    `Stays on the coordinator: ${stays.join(', ')}.`,
    '',
    '-- With --tidy, afterwards:',
    ...plan.tidying.map((statement) => `${statement};`),
    ...(plan.faults.length === 0 ? [] : ['', 'Citus would refuse:', ...plan.faults]),
  ]);
  return plan.faults.length === 0 ? 0 : 1;
}

/** @throws {CommandError} tidying before everything is spread would remove the only rows */
function statementsOf({ steps, tidying }: DistributionPlan, isTidying: boolean): readonly string[] {
  const left = steps.flatMap(({ statement }) => statement ?? []);
  if (!isTidying) return left;
  if (left.length > 0) throw new CommandError(`--tidy comes after: ${left.length} tables are not spread yet`);
  return tidying;
}

/** Each in a transaction of its own, so that what is done stays done. */
async function run(db: Database, statements: readonly string[]): Promise<readonly string[]> {
  for (const statement of statements) await db.many(sql.raw(statement));
  return statements;
}

/** @throws {CommandError} naming what is missing */
async function refuseUnready(db: Db): Promise<void> {
  if (!(await hasCitus(db))) {
    throw new CommandError(
      'this PostgreSQL has no citus extension. One machine needs none; for several see docs/scaling.md',
    );
  }
  const nodes = await db.one<{ coordinator: number; workers: number; copies: string }>(sql`
    select count(*) filter (where groupid = 0)::int as coordinator,
           count(*) filter (where groupid <> 0 and isactive and noderole = 'primary')::int as workers,
           current_setting('citus.shard_replication_factor') as copies
      from pg_dist_node`);
  if (nodes.coordinator === 0) {
    throw new CommandError(
      "the coordinator is not registered: select citus_set_coordinator_host('<name the workers reach it by>')",
    );
  }
  if (nodes.workers === 0) {
    throw new CommandError("no worker is registered: select citus_add_node('<name>', 5432)");
  }
  if (nodes.copies !== '1') {
    throw new CommandError('citus.shard_replication_factor must be 1: foreign keys need that');
  }
  const others = await db.many<{ name: string }>(sql`
    select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'counterfoil%' and application_name <> ${NAME}
     order by 1`);
  if (others.length > 0) {
    throw new CommandError(
      `stop every server and worker first; connected: ${others.map(({ name }) => name).join(', ')}`,
    );
  }
}

export const actions = { distribute: distributeCommand };
