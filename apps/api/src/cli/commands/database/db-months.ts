import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import { readSettings } from '../../../config.ts';
import { Database } from '../../../db/database.ts';
import { archiveMonth } from '../../../features/usage/months/archive.ts';
import { closeMonth, reopenMonth } from '../../../features/usage/months/closing.ts';
import type { MonthDeps } from '../../../features/usage/months/facts.ts';
import { type ListedMonth, listMonths } from '../../../features/usage/months/list.ts';
import { MONTHS_AHEAD } from '../../../features/usage/months/months.ts';
import { MonthRefused } from '../../../features/usage/months/refused.ts';
import { unarchiveMonth } from '../../../features/usage/months/unarchive.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import type { Runtime } from '../../../runtime.ts';
import { noWords } from '../../arguments/arguments.ts';
import { prepareDatabase } from '../../begin.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { openQuietly, withRuntime } from '../../with-runtime.ts';

/** A month of many millions of records may take its time. */
const STATEMENT_MS = 12 * 3_600_000;

const monthsCommand: Command = {
  usage: '',
  details: [
    `Months are made ${MONTHS_AHEAD} ahead of the running one by 'serve' and 'work'. 'unfinished' names the command that`,
    'was interrupted and carries on when it is run again.',
  ],
  options: {},
  async run(invocation) {
    noWords(invocation);
    const runtime = await openQuietly(readSettings());
    try {
      await prepareDatabase(runtime);
      const months = await listMonths(runtime.databases.exports, runtime.clock.now());
      const ahead = months.filter((one) => one.isAhead).length;
      invocation.print({ months, ahead }, [
        ...table(['month', 'state', 'records', 'size', 'archive', ''], months.map(cellsOf)),
        '',
        `${ahead} made ahead${ahead < MONTHS_AHEAD ? `; ${MONTHS_AHEAD} are when 'serve' or 'work' runs` : ''}`,
      ]);
      return 0;
    } finally {
      await runtime.close();
    }
  },
};

const cellsOf = (one: ListedMonth): readonly string[] => [
  one.month,
  one.state,
  `${one.records}`,
  one.state === 'archived' ? '–' : formatBytes(one.bytes),
  one.archiveBytes === null ? '' : formatBytes(one.archiveBytes),
  one.unfinished === null
    ? one.isAhead
      ? 'ahead'
      : ''
    : `unfinished: run 'db ${one.unfinished} ${one.month}'`,
];

interface Action {
  readonly details: readonly string[];
  readonly options?: Command['options'];
  /** @returns false when there was nothing to do */
  act(deps: MonthDeps, month: string, invocation: Invocation): Promise<boolean>;
  /** What is true afterwards, about 'YYYY-MM'. */
  done(name: string): string;
  nothing(name: string): string;
}

const monthCommand = ({ act, done, nothing, ...about }: Action): Command => ({
  options: {},
  ...about,
  usage: '<YYYY-MM>',
  async run(invocation) {
    const month = monthNamed(invocation);
    const changed = await withRuntime((runtime) =>
      withMonths(runtime, (deps) => act(deps, month, invocation)),
    );
    const name = month.slice(0, 7);
    invocation.print({ month: name, changed }, [changed ? done(name) : nothing(name)]);
    return 0;
  },
});

/** @throws {UsageError} */
function monthNamed(invocation: Invocation): string {
  const [word, ...more] = invocation.positionals;
  if (word === undefined || more.length > 0) throw new UsageError('which month? One, such as 2026-01');
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(word)) {
    throw new UsageError(`'${word}' is no month such as 2026-01`);
  }
  return `${word}-01`;
}

async function withMonths<T>(runtime: Runtime, work: (deps: MonthDeps) => Promise<T>): Promise<T> {
  const db = new Database({
    url: runtime.databaseUrl,
    name: 'counterfoil months',
    max: 4,
    statementTimeoutMs: STATEMENT_MS,
    onIdleError: (error) => runtime.log.warn({ err: error }, 'an idle connection ended'),
  });
  const now = runtime.clock.now();
  try {
    return await work({
      db,
      now,
      files: openFileStore(runtime.config.filesUrl, runtime.config.s3),
      record: (tx, action, month) => recordCommand(tx, now, { action, detail: { month: month.slice(0, 7) } }),
      reached: (step) => runtime.log.info({ step }, 'month'),
    });
  } catch (error) {
    throw error instanceof MonthRefused ? new CommandError(error.message) : error;
  } finally {
    await db.end();
  }
}

export const actions = {
  months: monthsCommand,
  close: monthCommand({
    details: [
      'Imports quarantine what differs with the reason. The month must be over. Waits up to a minute for imports that',
      'are under way; run again, it carries on.',
    ],
    act: closeMonth,
    done: (name) => `${name} is closed.`,
    nothing: (name) => `${name} is closed already.`,
  }),
  reopen: monthCommand({
    details: ["An archived one is brought back first, with 'db unarchive'."],
    act: reopenMonth,
    done: (name) => `${name} is open.`,
    nothing: (name) => `${name} is open already.`,
  }),
  archive: monthCommand({
    details: [
      'Writes gzipped text and a manifest (columns, rows, SHA-256) under usage-archive/ in FILES_URL, reads them back,',
      'and only then drops the month’s table. Invoices show their sums as before; single records of the month are not',
      'shown until it is brought back. Interrupted at any point, the same command carries on.',
      'Two full months must have passed since the month, unless forced.',
    ],
    options: { force: { type: 'boolean', help: 'also a month that ended less than two months ago' } },
    act: (deps, month, invocation) => archiveMonth(deps, month, { isForced: invocation.flag('force') }),
    done: (name) => `${name} is archived. Back up usage-archive/${name} now: nothing else has its records.`,
    nothing: (name) => `${name} is archived already.`,
  }),
  unarchive: monthCommand({
    details: [
      'Compares rows, sums and checksums with what was archived, and changes nothing where they differ. The files stay.',
    ],
    act: unarchiveMonth,
    done: (name) => `${name} is back, and closed. Its files were left where they are.`,
    nothing: (name) => `${name} is not archived.`,
  }),
};
