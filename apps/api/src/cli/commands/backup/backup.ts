import { writeFile } from 'node:fs/promises';
import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import { PlaceTaken, writeBackupFile } from '../../../backup/backup-file.ts';
import { MomentRefused } from '../../../backup/cluster-moment.ts';
import { KeyRefused, newKeyPair } from '../../../backup/locked.ts';
import type { BackupManifest } from '../../../backup/manifest.ts';
import { verifyBackup } from '../../../backup/verify-backup.ts';
import { BackupInterrupted } from '../../../backup/write-backup.ts';
import { readSettings } from '../../../config.ts';
import { readMigrations } from '../../../db/migrate.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import { PRIVATE_FILE } from '../../../files/private.ts';
import type { Runtime } from '../../../runtime.ts';
import { needed, noWords } from '../../arguments/arguments.ts';
import { type Command, CommandError } from '../../command.ts';
import { databaseStatus } from '../../doctor/database-status.ts';
import { tracedCommand } from '../../traced-command.ts';
import { openQuietly } from '../../with-runtime.ts';
import { fileOf, lockOf, lockOptions, openerOf, openOptions, toldOf } from './options.ts';

/** `counterfoil backup`: database and files as one file, while everything runs. */
export const backupCommand: Command = {
  usage: '--to <folder or file> [--key <age1…>]',
  details: [
    'Servers and workers go on. In it are all rows of one moment and all files of FILES_URL; not in it are SECRET_KEY, settings and mails',
    'in DATA_DIR/outbox. Keep SECRET_KEY elsewhere: without it no gateway key and no pay link in the backup opens.',
    'The file gets its name when it is whole. It is a tar archive, encrypted one in the form of age (age-encryption.org).',
  ],
  options: {
    to: {
      type: 'string',
      value: '<folder or file>',
      help: 'where it is written; in a folder it is named by the time',
    },
    ...lockOptions,
  },
  async run(invocation) {
    noWords(invocation);
    const to = needed(invocation, 'to');
    const lock = await lockOf(invocation);
    const runtime = await openQuietly(readSettings());
    try {
      await refuseUnknownSchema(runtime);
      const { config, databaseUrl, clock } = runtime;
      const source = { databaseUrl, files: openFileStore(config.filesUrl, config.s3) };
      const { path, bytes, manifest } = await tracedCommand('backup', runtime, () =>
        writeBackupFile(source, lock, to, clock.now()),
      );
      const { missing } = manifest.files;
      const left =
        missing.length === 0
          ? []
          : [`${missing.length} files that the database names are not there, such as ${missing[0]}.`];
      invocation.print({ file: path, bytes, isEncrypted: isLocked(lock), ...summaryOf(manifest), missing }, [
        `Written to ${path}: ${formatBytes(BigInt(bytes))}${isLocked(lock) ? ', encrypted' : ''}.`,
        ...sayContent(manifest),
        ...left,
      ]);
      return 0;
    } catch (error) {
      if (
        [PlaceTaken, BackupInterrupted, KeyRefused, MomentRefused].some((kind) => error instanceof kind) &&
        error instanceof Error
      )
        throw new CommandError(error.message);
      throw error;
    } finally {
      await runtime.close();
    }
  },
};

const isLocked = ({
  keys,
  passphrase,
}: {
  readonly keys: readonly string[];
  readonly passphrase: string | undefined;
}) => keys.length > 0 || passphrase !== undefined;

/** A schema that is older is backed up as it is: before a migration is when a backup is made. */
async function refuseUnknownSchema({ databases }: Runtime): Promise<void> {
  const { schema } = await databaseStatus(databases.web);
  const known = (await readMigrations()).length;
  if (schema === 0) throw new CommandError('there is nothing to back up: the database was never used');
  if (schema > known)
    throw new CommandError(
      `the database has schema ${schema}, this program knows ${known}: use the newer version`,
    );
}

/** What is in a backup, in figures. */
export const summaryOf = ({ head, takenAt, tables, files }: BackupManifest) => ({
  takenAt,
  version: head.version,
  schema: head.migrations.length,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: files.count,
  fileBytes: files.bytes,
});

/** The same for people. */
export function sayContent(manifest: BackupManifest): string[] {
  const { takenAt, version, schema, tables, rows, files, fileBytes } = summaryOf(manifest);
  return [
    `Taken at ${takenAt} by version ${version}, schema ${schema}.`,
    `${rows} rows of ${tables} tables; ${files} files, ${formatBytes(BigInt(fileBytes))}.`,
  ];
}

const verify: Command = {
  usage: '<file>',
  details: [
    'Reads every byte, and compares rows, files and their hashes with what the backup says of itself. Needs neither database nor',
    'SECRET_KEY; an encrypted one needs what opens it. Exit code 0: it is whole.',
  ],
  options: openOptions,
  async run(invocation) {
    const file = fileOf(invocation);
    const opener = await openerOf(invocation);
    const manifest = await toldOf(file, () => verifyBackup(file, opener));
    invocation.print({ file, isWhole: true, ...summaryOf(manifest) }, [
      `${file} is whole.`,
      ...sayContent(manifest),
    ]);
    return 0;
  },
};

const key: Command = {
  usage: '--out <file>',
  details: [
    'Writes the secret key into a new file, which only its owner reads, and prints the public one for backup --key. Keep the file where the',
    'backups are not: whoever has both reads everything, and without it nothing opens them.',
  ],
  options: { out: { type: 'string', value: '<file>', help: 'where the secret key is written' } },
  async run(invocation) {
    noWords(invocation);
    const out = needed(invocation, 'out');
    const { publicKey, secretKey } = await newKeyPair();
    await writeFile(out, `# public key: ${publicKey}\n${secretKey}\n`, {
      mode: PRIVATE_FILE,
      flag: 'wx',
    }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new CommandError(`${out} is there already`) : error;
    });
    invocation.print({ file: out, publicKey }, [
      `The secret key is in ${out}.`,
      `The public key: ${publicKey}`,
    ]);
    return 0;
  },
};

export const actions = { verify, key };
