import { readFile } from 'node:fs/promises';
import { KeyRefused, type Lock, type Opener, readKeyLines } from '../../../backup/locked.ts';
import { BackupDamaged } from '../../../backup/manifest.ts';
import { CommandError, type Invocation, UsageError } from '../../command.ts';

/** What tells who can open a backup. */
export const lockOptions = {
  key: {
    type: 'string',
    value: '<age1… or @file>',
    multiple: true,
    help: 'encrypts to this public key of age; may be given several times; @file: a file with one a line',
  },
  'passphrase-file': {
    type: 'string',
    value: '<file>',
    help: 'encrypts with, or opens by, the passphrase in this file',
  },
} as const;

/** What opens one. */
export const openOptions = {
  'key-file': {
    type: 'string',
    value: '<file>',
    help: "the file with the secret key of age, as 'backup key' or age-keygen writes it",
  },
  'passphrase-file': lockOptions['passphrase-file'],
} as const;

export async function lockOf(invocation: Invocation): Promise<Lock> {
  const keys: string[] = [];
  for (const text of invocation.texts('key'))
    keys.push(...(text.startsWith('@') ? await readKeyLines(text.slice(1)) : [text]));
  const passphrase = await passphraseOf(invocation);
  if (passphrase !== undefined && keys.length > 0)
    throw new UsageError('--key and --passphrase-file are two ways, of which age takes one');
  return { keys, passphrase };
}

export async function openerOf(invocation: Invocation): Promise<Opener> {
  const file = invocation.text('key-file');
  return {
    keys: file === undefined ? [] : await readKeyLines(file),
    passphrase: await passphraseOf(invocation),
  };
}

async function passphraseOf(invocation: Invocation): Promise<string | undefined> {
  const file = invocation.text('passphrase-file');
  if (file === undefined) return undefined;
  const passphrase = (await readFile(file, 'utf8')).trim();
  if (passphrase === '') throw new UsageError(`${file} holds no passphrase`);
  return passphrase;
}

/** The one file that a command is about. @throws {UsageError} */
export function fileOf(invocation: Invocation): string {
  const [file, second] = invocation.positionals;
  if (file === undefined) throw new UsageError('the file of the backup is missing');
  if (second !== undefined) throw new UsageError(`'${second}' is not expected here`);
  return file;
}

/** Says in words what keeps a backup from being read. */
export async function toldOf<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupDamaged || error instanceof KeyRefused)
      throw new CommandError(`${file}: ${error.message}`);
    throw error;
  }
}
