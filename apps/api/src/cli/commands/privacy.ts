import { open, readFile, rm } from 'node:fs/promises';
import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import {
  type Asked,
  applyRetention,
  beginExport,
  ExportTooLarge,
  erase,
  findErasable,
  foreseeErasure,
  foreseeRetention,
  writeExport,
} from '../../features/privacy/service.ts';
import { openFileStore } from '../../files/open-file-store.ts';
import { PRIVATE_FILE } from '../../files/private.ts';
import type { Runtime } from '../../runtime.ts';
import { customerOption, needed, noWords, optionalNumber, resellerOption } from '../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../command.ts';
import { customerNamed } from '../customer-named.ts';
import { commandActor } from '../record-command.ts';
import { withRuntime } from '../with-runtime.ts';

const subjectOptions = {
  user: { type: 'string', value: '<address or id>', help: 'a user, by the user name or the id' },
  ...customerOption,
  ...resellerOption,
} as const;

/** Whom a command is about: one user or one customer. */
async function subjectOf(invocation: Invocation, { databases }: Runtime) {
  const [email, customer] = [invocation.text('user'), invocation.text('customer')];
  if (email !== undefined) return { kind: 'user', email } as const;
  const id = await customerNamed(databases.web, customer ?? '', optionalNumber(invocation, 'reseller'));
  return { kind: 'customer', id } as const;
}

function requireOneSubject(invocation: Invocation): void {
  if ((invocation.text('user') === undefined) === (invocation.text('customer') === undefined))
    throw new UsageError('give --user or --customer');
}

const noSubject = (asked: Asked): CommandError =>
  new CommandError(asked.kind === 'user' ? `there is no user ${asked.email}` : 'there is no such customer');

const exportData: Command = {
  usage: '--user <address> | --customer <id or ref> --out <file>',
  details: [
    'JSON lines by kind, stored documents, and index.html, which says what each file is. No password, key, token or full number is in it.',
    'That it was made is put on record. docs/privacy.md says how to answer who asks for their data.',
  ],
  options: {
    ...subjectOptions,
    out: { type: 'string', value: '<file>', help: 'where it is written; a file that is there is kept' },
  },
  async run(invocation) {
    noWords(invocation);
    const out = needed(invocation, 'out');
    requireOneSubject(invocation);
    const bytes = await withRuntime(async (runtime) => {
      const { config, databases, clock } = runtime;
      const asked = await subjectOf(invocation, runtime);
      const by = { actor: commandActor() };
      const head = await databases.web.transaction((tx) =>
        beginExport(tx, asked, optionalNumber(invocation, 'reseller'), by, clock.now()),
      );
      if (head === undefined) throw noSubject(asked);
      const files = openFileStore(config.filesUrl, config.s3);
      return writeFile(out, (write) => writeExport({ exports: databases.exports, files }, head, write));
    });
    invocation.print({ file: out, bytes }, [`Written to ${out}: ${formatBytes(BigInt(bytes))}.`]);
    return 0;
  },
};

/** Writes a new private file; one that fails is taken away. @returns its size */
async function writeFile(
  path: string,
  fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<number> {
  const file = await open(path, 'wx', PRIVATE_FILE).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      `${path} cannot be written: ${error.code === 'EEXIST' ? 'it is there already' : error.code}`,
    );
  });
  let bytes = 0;
  try {
    await fill(async (piece) => {
      await file.write(piece);
      bytes += piece.length;
    });
    return bytes;
  } catch (error) {
    await rm(path, { force: true });
    throw error instanceof ExportTooLarge ? new CommandError(error.message) : error;
  } finally {
    await file.close();
  }
}

const retention: Command = {
  usage: '[--dry-run]',
  details: [
    'RETAIN_…_DAYS say how long each class is kept; docs/privacy.md has the list. What is deleted is put on record, by class.',
  ],
  options: { 'dry-run': { type: 'boolean', help: 'says what would be deleted, and deletes nothing' } },
  async run(invocation) {
    noWords(invocation);
    const isTrial = invocation.flag('dry-run');
    const figures = await withRuntime(({ config, databases, clock }) => {
      const keep = config.retention;
      const db = databases.exports;
      if (isTrial) return foreseeRetention(db, keep, clock.now());
      const files = openFileStore(config.filesUrl, config.s3);
      return applyRetention({ db, clock, files, keep }, commandActor());
    });
    const rows = figures.map(({ name, keptDays, older }) => [
      name,
      keptDays === 0 ? 'for ever' : `${keptDays} days`,
      `${older}`,
    ]);
    invocation.print({ isTrial, classes: figures }, [
      ...table(['class', 'kept', isTrial ? 'would be deleted' : 'deleted'], rows),
    ]);
    return 0;
  },
};

/** A row as `audit --json` prints it. */
const erasedEvents = z.object({
  events: z.array(
    z.object({
      action: z.string(),
      user_id: z.nullable(z.guid()),
      customer_id: z.nullable(z.guid()),
    }),
  ),
});

/** Whom the lines of an audit trail name as erased, each once: users first, for a customer has users. */
async function erasedIn(path: string): Promise<readonly Asked[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read: ${error.code}`);
  });
  const { success, data } = erasedEvents.safeParse(jsonIn(text));
  if (!success) throw new CommandError(`${path} is not what 'audit --action privacy.erased --json' prints`);
  const of = data.events.filter(({ action }) => action === 'privacy.erased');
  const users = new Set(of.flatMap(({ user_id: id }) => id ?? []));
  const customers = new Set(of.flatMap(({ customer_id: id }) => id ?? []));
  return [
    ...[...users].map((email): Asked => ({ kind: 'user', email })),
    ...[...customers].map((id): Asked => ({ kind: 'customer', id })),
  ];
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What became of somebody who had been erased before a backup was restored. */
interface Again {
  readonly kind: Asked['kind'];
  readonly id: string;
  /** `absent`: the backup does not know them. `found`: they would be erased. */
  readonly is: 'absent' | 'found' | 'erased' | 'refused';
  readonly why: string | null;
}

/** Erases everybody again whom a restored backup brought back. One who is refused holds up nobody else. */
const eraseAgain = async (invocation: Invocation, path: string): Promise<number> => {
  const asked = await erasedIn(path);
  const isDone = invocation.flag('for-good');
  const all = await withRuntime(async ({ config, databases, clock }) => {
    const deps = { db: databases.exports, files: openFileStore(config.filesUrl, config.s3), clock };
    const again: Again[] = [];
    for (const one of asked) {
      const who = { kind: one.kind, id: one.kind === 'user' ? one.email : one.id } as const;
      const of = await findErasable(deps.db, one, optionalNumber(invocation, 'reseller'), clock.now());
      if (of === undefined) {
        again.push({ ...who, is: 'absent', why: null });
        continue;
      }
      try {
        await (isDone ? erase(deps, of, { actor: commandActor() }) : foreseeErasure(deps.db, of));
        again.push({ ...who, is: isDone ? 'erased' : 'found', why: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        again.push({ ...who, is: 'refused', why: error.text });
      }
    }
    return again;
  });
  invocation.print({ isDone, subjects: all }, [
    ...table(
      ['who', 'id', 'is', 'why'],
      all.map(({ kind, id, is, why }) => [kind, id, is, why ?? '']),
    ),
    ...(isDone ? [] : ['Nothing was changed; --for-good does it.']),
  ]);
  return all.some(({ is }) => is === 'refused') ? 1 : 0;
};

const eraseCommand: Command = {
  usage: '--user <address> | --customer <id or ref> | --again <file> [--for-good]',
  details: [
    'Without --for-good it says what would be deleted, changed and kept, and changes nothing. What is erased does not come back.',
    'Invoices stay as they are for the years of the reseller’s setting keepInvoicesYears, the books for good. Backups made before hold the',
    "person still: keep what 'audit --action privacy.erased --json' prints apart from them, and after one is restored give it to --again.",
  ],
  options: {
    ...subjectOptions,
    again: { type: 'string', value: '<file>', help: 'everybody whom such a file names' },
    'for-good': { type: 'boolean', help: 'does it' },
  },
  async run(invocation) {
    noWords(invocation);
    const again = invocation.text('again');
    if (again !== undefined) {
      if (invocation.text('user') !== undefined || invocation.text('customer') !== undefined)
        throw new UsageError('give --again alone');
      return eraseAgain(invocation, again);
    }
    requireOneSubject(invocation);
    const isDone = invocation.flag('for-good');
    const tables = await withRuntime(async (runtime) => {
      const { config, databases, clock } = runtime;
      const asked = await subjectOf(invocation, runtime);
      const db = databases.exports;
      const of = await findErasable(db, asked, optionalNumber(invocation, 'reseller'), clock.now());
      if (of === undefined) throw noSubject(asked);
      const files = openFileStore(config.filesUrl, config.s3);
      try {
        return await (isDone
          ? erase({ db, files, clock }, of, { actor: commandActor() })
          : foreseeErasure(db, of));
      } catch (error) {
        throw error instanceof AppError ? new CommandError(error.text) : error;
      }
    });
    const rows = tables
      .filter(({ rows: n, becomes }) => n > 0 || becomes === 'kept')
      .map(({ table: name, becomes, rows: n, why }) => [
        name,
        becomes,
        becomes === 'kept' ? '' : `${n}`,
        why ?? '',
      ]);
    invocation.print({ isDone, tables }, [
      ...table(['table', isDone ? 'is' : 'would be', 'rows', 'why'], rows),
      ...(isDone
        ? ['Erased. Backups made before hold it still; docs/privacy.md says what to do about them.']
        : ['Nothing was changed; --for-good does it.']),
    ]);
    return 0;
  },
};

export const actions = { export: exportData, erase: eraseCommand, retention };
