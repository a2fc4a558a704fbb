import { importStates } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { entityWriters } from '../../../bulk-kinds.ts';
import { retryQuarantined } from '../../../features/imports/quarantine/retry.ts';
import { presentImport, presentImportDetail } from '../../../features/imports/runs/present.ts';
import { listImports } from '../../../features/imports/runs/queries.ts';
import { importNamed, stopImport, undoImport } from '../../../features/imports/runs/service.ts';
import { undoNow } from '../../../features/imports/runs/undo-job.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import {
  checkedId,
  limitOf,
  limitOption,
  needed,
  noWords,
  oneOf,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor, recordCommand } from '../../record-command.ts';
import { withLinks, withRuntime } from '../../with-runtime.ts';

type Shown = ReturnType<typeof presentImport>;

const cells = (one: Shown): readonly string[] => [
  one.id,
  one.fileName,
  one.format ?? '-',
  one.state,
  one.startedAt.slice(0, 16).replace('T', ' '),
  ...[one.created, one.updated, one.unchanged, one.waiting].map(String),
];
const head = ['id', 'file', 'format', 'state', 'came (UTC)', 'new', 'changed', 'known', 'waiting'];

/** @throws {UsageError} */
function idOf({ positionals }: Invocation): string {
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0)
    throw new UsageError("which import? Give its id ('import list' has it)");
  return checkedId(id);
}

const list: Command = {
  usage: '[--reseller <id>] [--state <name>] [--limit <n>]',
  options: {
    ...resellerOption,
    state: { type: 'string', value: '<name>', help: importStates.join(', ') },
    ...limitOption,
  },
  async run(invocation) {
    noWords(invocation);
    const filter = {
      resellerId: optionalNumber(invocation, 'reseller'),
      state: oneOf(invocation, 'state', importStates),
    };
    const imports = await withRuntime(async ({ databases, clock }) => {
      const rows = await listImports(databases.web, { ...filter, limit: limitOf(invocation) });
      return rows.map((row) => presentImport(row, clock.now()));
    });
    invocation.print(
      { imports },
      imports.length === 0 ? ['There are no imports.'] : table(head, imports.map(cells)),
    );
    return 0;
  },
};

const show: Command = {
  usage: '<id>',
  options: {},
  async run(invocation) {
    const id = idOf(invocation);
    const shown = await withRuntime(async ({ databases, clock }) =>
      presentImportDetail(await importNamed(databases.web, { resellerId: undefined, id }), clock.now()),
    );
    const { undoUntil, notUndoneBecause, preview, warnings } = shown;
    invocation.print(shown, [
      ...table(head, [cells(shown)]),
      ...(preview === null
        ? []
        : [
            '',
            `Its dry run: ${preview.created} new, ${preview.updated} changed, ${preview.unchanged} known, ${preview.quarantined} set aside.`,
          ]),
      ...warnings,
      ...(undoUntil === null ? [] : [`It can be undone until ${undoUntil.slice(0, 10)}.`]),
      ...(notUndoneBecause === null ? [] : [`It cannot be undone: ${notUndoneBecause}.`]),
    ]);
    return 0;
  },
};

const stop: Command = {
  usage: '<id>',
  details: [
    'A process that is at it leaves off after the rows it is merging. What is in by then stays, and import undo takes it out; the',
    'same file again takes in the rest. Of a command with several files those that have not begun are left out. Exit code 1: it',
    'has not begun or has ended.',
  ],
  options: {},
  async run(invocation) {
    const at = { resellerId: undefined, id: idOf(invocation) };
    const shown = await withRuntime(({ databases: { web }, clock }) => {
      const act = { by: { actor: commandActor() }, now: clock.now() };
      return web.transaction(async (tx) => presentImport(await stopImport(tx, at, act), act.now));
    });
    invocation.print(shown, [
      shown.state === 'stopping'
        ? "It stops after the rows it is merging; 'import show' says when it has."
        : `Stopped: ${shown.rowsMerged} rows were dealt with, ${shown.created} made, ${shown.updated} changed.`,
    ]);
    return 0;
  },
};

const undo: Command = {
  usage: '<id> --note <text>',
  details: [
    'Within seven days, of an import that corrected nothing, and only where nothing depends on what it made. Lines and record',
    'types that it made known stay; what it has set aside is dropped. Exit code 1: it is refused, with the reason.',
  ],
  options: { note: { type: 'string', help: 'why; kept in the audit trail' } },
  async run(invocation) {
    const id = idOf(invocation);
    const note = needed(invocation, 'note');
    const shown = await withRuntime(async ({ databases: { web, exports: db }, clock, secrets, config }) => {
      const at = { resellerId: undefined, id };
      const act = { by: { actor: commandActor() }, now: clock.now(), note };
      await web.transaction((tx) => undoImport(tx, at, act));
      // Now, and not by a worker: there may be none. One that is at it too does the same.
      await undoNow(
        {
          db,
          files: openFileStore(config.filesUrl, config.s3),
          writers: entityWriters({ secrets, publicUrl: config.publicUrl }),
        },
        id,
        clock.now(),
      );
      return presentImport(await importNamed(web, at), clock.now());
    });
    if (shown.state !== 'undone')
      throw new CommandError(`it was not undone: ${shown.notUndoneBecause ?? shown.state}`);
    invocation.print(shown, [`Undone: ${shown.undone} of ${shown.created} were taken out.`]);
    return 0;
  },
};

const retry: Command = {
  usage: '<id>',
  details: ['As quarantine retry does with all. Exit codes: 0 all of it went in, 1 some still wait.'],
  options: {},
  async run(invocation) {
    const id = idOf(invocation);
    const { tried, taken } = await withLinks(async ({ databases, secrets, config, clock }) => {
      const { exports: db, web } = databases;
      const { reseller_id: resellerId } = await importNamed(web, { resellerId: undefined, id });
      const { publicUrl } = config;
      const files = openFileStore(config.filesUrl, config.s3);
      const deps = { db, secrets, publicUrl, files, writers: entityWriters({ secrets, publicUrl }) };
      const now = clock.now();
      const done = await retryQuarantined(deps, { only: 'all', resellerId, fileId: id, now });
      if (done.taken > 0)
        await web.transaction((tx) =>
          recordCommand(tx, now, {
            action: 'quarantine.retried',
            resellerId,
            detail: { import: id, taken: done.taken },
          }),
        );
      return done;
    });
    invocation.print({ tried, taken, waiting: tried - taken }, [
      tried === 0 ? 'There was nothing that can be tried.' : `${taken} of ${tried} went in.`,
    ]);
    return taken === tried ? 0 : 1;
  },
};

export const actions = { list, show, stop, retry, undo };
