import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { brokenRules } from '../apps/api/test/fixtures/paying/books.ts';
import { attachOrStart } from '../packages/postgres/src/server.ts';
import { root, run } from './process.ts';
import { type OldTree, oldTrees } from './upgrade/old-trees.ts';
import { callLists, invoicesOf, type ListedInvoice, payByLink, signIn } from './upgrade/portal.ts';
import { compareSums, type Sums, sumsOf } from './upgrade/sums.ts';
import { inWorktree, type StartedTree, startTree } from './worktree.ts';

/** Whose invoices are looked at in both versions: the first can be paid through Stripe's sandbox, the other has three customers. */
const USERS = ['stripe@demo.example', 'ada@demo.example'];
const LAST_LINES = 20;
const STARTS = 3;

/** What is told of one upgrade; the last line of a run has its number. */
interface Report {
  readonly tree: string;
  readonly lines: string[];
  readonly faults: string[];
}

/** What an installation had before its upgrade. */
interface Before {
  readonly sums: Sums;
  readonly invoices: ReadonlyMap<string, readonly ListedInvoice[]>;
  /** Rules of the books that its demo world broke already. */
  readonly broken: ReadonlySet<string>;
  /** Resellers of its demo world whose gateway it did not have yet. */
  readonly unfit: readonly number[];
}

/**
 * Makes installations with trees of the past, brings them up to date with the present one, and shows that nothing is lost: every row
 * and sum of money, the books' rules, signing in, each list, a payment by a link of before. Then the old tree must refuse the new
 * database. Some minutes a tree: each installs its own packages.
 * @param args commits; without one those of the table
 * @returns the exit code
 */
export async function upgradeFrom(args: readonly string[]): Promise<number> {
  const known = (commit: string) => oldTrees.find((tree) => tree.commit === commit);
  const trees =
    args.length === 0
      ? oldTrees
      : args.map((commit): OldTree => known(commit) ?? { commit, schema: 0, why: 'named' });
  let failed = 0;
  for (const { commit, why } of trees) {
    const report: Report = { tree: commit, lines: [], faults: [] };
    const begun = performance.now();
    await upgradeOne(commit, report).catch((error: Error) =>
      report.faults.push(error.stack ?? error.message),
    );
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
    const isWell = report.faults.length === 0;
    process.stdout.write(`${isWell ? '✓' : '✗'} ${commit}, ${why} (${seconds} s)\n`);
    for (const line of [...report.lines, ...report.faults.map((fault) => `✗ ${fault}`)])
      process.stdout.write(`  ${line}\n`);
    if (!isWell) failed += 1;
  }
  process.stdout.write(`${trees.length - failed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}

async function upgradeOne(commit: string, report: Report): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-upgrade-'));
  try {
    await inWorktree(commit, async (folder) => {
      const before = await lifeBefore(folder, dataDir, report);
      await bringUpToDate(dataDir, before, report);
      await lifeAfter(dataDir, before, report);
      await refusedByOld(folder, dataDir, report);
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Old trees give up making their world where a busy machine lets a step wait for long; the next start goes on. */
async function startPatiently(folder: string, dataDir: string): Promise<StartedTree> {
  for (let tries = 1; ; tries += 1) {
    const tree = await startTree(folder, dataDir);
    if (tree.isReady || tries === STARTS) return tree;
    await tree.stop();
  }
}

/** The old tree makes its world and takes a payment. */
async function lifeBefore(folder: string, dataDir: string, report: Report): Promise<Before> {
  const tree = await startPatiently(folder, dataDir);
  const invoices = new Map<string, readonly ListedInvoice[]>();
  try {
    if (!tree.isReady) throw new Error(`the old tree does not start\n${lastLines(tree)}`);
    const [payable] = payables(await invoicesOf(await signIn(tree.url, USERS[0] ?? '')));
    if (payable === undefined) throw new Error('the old tree has no invoice that can be paid');
    report.lines.push(`the old tree paid ${payable.number}: ${await payByLink(tree.url, payable)}`);
    for (const user of USERS) invoices.set(user, await invoicesOf(await signIn(tree.url, user)));
  } finally {
    await tree.stop();
  }
  return inDatabase(dataDir, async (pool) => {
    const { rows } = await pool.query<{ gateway: string; reseller_id: number }>(
      'select gateway, reseller_id from gateway_account',
    );
    const isThere = (gateway: string) =>
      existsSync(join(folder, 'packages/gateways/src', gateway, 'gateway.ts'));
    const broken = new Set(Object.keys(await brokenRules(pool, { isOlder: true })));
    if (broken.size > 0) report.lines.push(`its demo world breaks: ${[...broken].join(', ')}`);
    const unfit = rows.filter(({ gateway }) => !isThere(gateway)).map(({ reseller_id }) => reseller_id);
    return { sums: await sumsOf(pool), invoices, broken, unfit };
  });
}

/** Migrates, and compares what was there. */
async function bringUpToDate(dataDir: string, { sums, broken }: Before, report: Report): Promise<void> {
  const early = await counterfoil(['doctor', '--json'], dataDir);
  const schema = findings(early.output).find(({ what }) => what === 'schema');
  report.lines.push(`doctor before: schema ${schema?.found}`);
  if (schema === undefined) report.faults.push(`doctor says nothing of the schema\n${early.output}`);
  const migrated = await counterfoil(['migrate'], dataDir);
  if (migrated.code !== 0) throw new Error(`migrate failed\n${migrated.output}`);
  report.lines.push(`migrations: ${migrated.output.match(/^ran /gm)?.length ?? 0}`);
  await inDatabase(dataDir, async (pool) => {
    const { differ, gone } = compareSums(sums, await sumsOf(pool));
    report.lines.push(`rows and sums that are the same: ${sums.size - differ.length - gone.length}`);
    if (gone.length > 0) report.lines.push(`no longer there: ${gone.join(', ')}`);
    report.faults.push(...differ.map((one) => `migrations changed ${one}`));
    await judgeBooks(pool, 'after the migrations', broken, report);
  });
}

/** The present tree lives on the data: people sign in, lists answer, balances are those of before, and a link of before pays. */
async function lifeAfter(dataDir: string, before: Before, report: Report): Promise<void> {
  const tree = await startTree(root, dataDir);
  try {
    if (!tree.isReady) throw new Error(`the present tree does not start\n${lastLines(tree)}`);
    for (const [user, was] of before.invoices) {
      const portal = await signIn(tree.url, user);
      const is = await invoicesOf(portal);
      const due = ({ customerId, number, amountDue, currency }: ListedInvoice) =>
        `${customerId} ${number}: ${amountDue} ${currency}`;
      const missing = was.map(due).filter((one) => !is.map(due).includes(one));
      report.faults.push(...missing.map((one) => `${user} had ${one}`));
      const { called, failed } = await callLists(tree.url, portal);
      report.lines.push(
        `${user}: ${was.length} balances as before: ${missing.length === 0}; ${called} lists answered`,
      );
      report.faults.push(...failed.map((one) => `${user}: ${one}`));
    }
    const [link] = payables(before.invoices.get(USERS[0] ?? '') ?? []);
    if (link === undefined) throw new Error('there was no second invoice that can be paid');
    const status = await payByLink(tree.url, link);
    report.lines.push(`a link of before pays ${link.number}: ${status}`);
    if (status !== 'succeeded') report.faults.push(`the payment is ${status}`);
    const doctor = await counterfoil(['doctor', '--json'], dataDir);
    const unfit = before.unfit.map((reseller) => `gateway of ${reseller}`);
    const wrong = findings(doctor.output).filter(({ is, what }) => is === 'fault' && !unfit.includes(what));
    if (unfit.length > 0) report.lines.push(`gateways that it did not have yet: ${unfit.length}`);
    report.lines.push(`doctor after: ${wrong.length} to be put right`);
    report.faults.push(...wrong.map(({ what, found }) => `doctor: ${what}: ${found}`));
    await inDatabase(dataDir, (pool) => judgeBooks(pool, 'after the payment', before.broken, report));
  } finally {
    await tree.stop();
  }
}

/** There is no way back but a backup: a program that is older than the schema does not start. */
async function refusedByOld(folder: string, dataDir: string, report: Report): Promise<void> {
  const tree = await startTree(folder, dataDir);
  await tree.stop();
  const said = tree
    .output()
    .split('\n')
    .find((line) => line.includes('install the newer version'));
  if (tree.isReady || said === undefined)
    report.faults.push(`the old tree does not refuse the new database\n${lastLines(tree)}`);
  else report.lines.push(`the old tree on it: ${said.trim()}`);
}

const payables = (invoices: readonly ListedInvoice[]) =>
  invoices.filter(({ payToken, amountDue }) => payToken !== null && amountDue > 0);

async function judgeBooks(
  pool: pg.Pool,
  when: string,
  broken: ReadonlySet<string>,
  report: Report,
): Promise<void> {
  for (const [rule, rows] of Object.entries(await brokenRules(pool)))
    if (!broken.has(rule)) report.faults.push(`${when} the books break '${rule}': ${JSON.stringify(rows)}`);
}

async function inDatabase<T>(dataDir: string, use: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const server = await attachOrStart({ dataDir });
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  try {
    return await use(pool);
  } finally {
    await pool.end();
    await server.stop();
  }
}

const counterfoil = (args: readonly string[], dataDir: string) =>
  run(process.execPath, ['tools/run.mjs', 'counterfoil', ...args], {
    output: 'keep',
    env: { DATA_DIR: dataDir, DEMO: '1' },
  });

interface Finding {
  readonly is: 'ok' | 'warning' | 'fault';
  readonly what: string;
  readonly found: string;
}

/** @returns what `doctor --json` found; nothing where it printed no such thing */
function findings(output: string): readonly Finding[] {
  const line = output.split('\n').find((text) => text.startsWith('{') && text.includes('"findings"'));
  return line === undefined ? [] : (JSON.parse(line) as { findings: Finding[] }).findings;
}

const lastLines = (tree: StartedTree) => tree.output().split('\n').slice(-LAST_LINES).join('\n');
