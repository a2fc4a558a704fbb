import type { BackupHead } from '../../../backup/manifest.ts';
import { refuseOtherSchema, restoreBackup } from '../../../backup/restore-backup.ts';
import { RestoreRefused } from '../../../backup/restore-tables.ts';
import { unfinishedRestore } from '../../../backup/unfinished.ts';
import { readBackupHead, verifyBackup } from '../../../backup/verify-backup.ts';
import { type Config, readSettings } from '../../../config.ts';
import { listPauses } from '../../../features/payments/pause/pause.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import { hasSecretKey, secretKeyOf } from '../../../runtime.ts';
import { createSecrets } from '../../../secrets.ts';
import { prepareDatabase } from '../../begin.ts';
import { type Command, CommandError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { tracedCommand } from '../../traced-command.ts';
import { openQuietly } from '../../with-runtime.ts';
import { sayContent, summaryOf } from './backup.ts';
import { fileOf, openerOf, openOptions, toldOf } from './options.ts';

/** `counterfoil restore`: a backup into an empty installation. */
export const restoreCommand: Command = {
  usage: '<file>',
  details: [
    'Into an empty database and an empty FILES_URL only, with the SECRET_KEY of the installation that was backed up. The whole backup is',
    'verified before anything is written. A backup of an earlier version is restored as it was and then migrated. Payments are off',
    'afterwards until each gateway was scanned for what was paid since the backup. Broken off, run it again.',
  ],
  options: openOptions,
  async run(invocation) {
    const file = fileOf(invocation);
    const opener = await openerOf(invocation);
    const config = readSettings();
    const head = await toldOf(file, () => readBackupHead(file, opener));
    await inWords(() => refuseOtherSchema(head));
    refuseOtherKey(config, head);
    if (unfinishedRestore(config.dataDir) !== undefined && !invocation.json)
      invocation.print({}, ['A restoration did not end here; it is begun again.']);
    const manifest = await toldOf(file, () => verifyBackup(file, opener));
    const runtime = await openQuietly(config);
    try {
      const { databaseUrl, databases, clock } = runtime;
      const target = {
        databaseUrl,
        files: openFileStore(config.filesUrl, config.s3),
        dataDir: config.dataDir,
      };
      await inWords(() =>
        toldOf(file, () =>
          tracedCommand('restore', runtime, () => restoreBackup(file, opener, manifest, target)),
        ),
      );
      await prepareDatabase(runtime);
      await databases.web.transaction((tx) =>
        recordCommand(tx, clock.now(), {
          action: 'backup.restored',
          detail: { takenAt: manifest.takenAt, version: head.version },
        }),
      );
      const paused = await listPauses(databases.web);
      invocation.print({ ...summaryOf(manifest), pausedAccounts: paused.length }, [
        `Restored from ${file}.`,
        ...sayContent(manifest),
        '',
        ...nextSteps(paused.length),
      ]);
      return 0;
    } finally {
      await runtime.close();
    }
  },
};

/** The key must be there and the right one before anything is made. @throws {CommandError} */
function refuseOtherKey(config: Config, { keyCheck }: BackupHead): void {
  if (keyCheck === null) return;
  const where = `set SECRET_KEY, or put it into ${config.dataDir}/secret.key`;
  if (!hasSecretKey(config))
    throw new CommandError(`the SECRET_KEY of the installation that was backed up is needed: ${where}`);
  const own = createSecrets(secretKeyOf(config)).check.toString('hex');
  if (own !== keyCheck)
    throw new CommandError(`this SECRET_KEY is not that of the installation that was backed up: ${where}`);
}

function nextSteps(paused: number): readonly string[] {
  return [
    'What to do next:',
    "1. 'counterfoil doctor' says whether all is well.",
    paused === 0
      ? '2. Start as ever.'
      : `2. Start as ever, with a worker. Payments are off for ${paused} gateway accounts; the worker scans each gateway and turns them on.`,
    '3. Erase again who was erased since the backup (privacy erase, by id).',
    '4. Import again what was imported since the backup.',
    'More: docs/operations.md, Restore.',
  ];
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RestoreRefused) throw new CommandError(error.message);
    throw error;
  }
}
