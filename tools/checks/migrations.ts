import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../process.ts';
import { filesMatching } from '../project-files.ts';

const folder = 'apps/api/migrations';
/** Beside the migrations: a line each, as `sha256sum` writes it. It only ever grows at its end. */
export const landedList = `${folder}/landed.sha256`;

/** A migration: the name of its file, and its text. */
export interface MigrationFile {
  readonly name: string;
  readonly text: string;
}

/** The list with a line for each migration that has none yet; lines that are there stay as they are. */
export function grown(list: string, migrations: readonly MigrationFile[]): string {
  const listed = new Set(lines(list).map(({ name }) => name));
  const added = migrations.filter(({ name }) => !listed.has(name)).map(line);
  return [list.trimEnd(), ...added]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

/**
 * Finds migrations that were changed after they landed: installations have run them as they were.
 * @param landed the list as it last landed, where that is known; this one must go on from it
 * @returns one line per fault
 */
export function migrationFaults(
  list: string,
  migrations: readonly MigrationFile[],
  landed: string | undefined,
): string[] {
  const texts = new Map(migrations.map((migration) => [migration.name, line(migration)]));
  const changed = lines(list).flatMap(({ name, whole }) => {
    const now = texts.get(name);
    if (now === whole) return [];
    return `${folder}/${name} ${now ? 'is not what landed' : 'has landed and is gone'}; put it back, and add a new one`;
  });
  const rewritten = landed !== undefined && !list.startsWith(landed);
  return [
    ...(rewritten ? [`${landedList} has other lines than the ones that landed; only add to its end`] : []),
    ...changed,
    ...(grown(list, migrations) === list ? [] : [`${landedList} lacks a migration: npm run generate`]),
  ];
}

/** The migrations of this checkout, in order. */
export function readMigrationFiles(): MigrationFile[] {
  return filesMatching(join(root, folder), /^\d{4}_\w+\.sql$/).map((name) => ({
    name,
    text: readFileSync(join(root, folder, name), 'utf8'),
  }));
}

/** The list of this checkout; empty before there was one. */
export function readLanded(): string {
  const file = join(root, landedList);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The list as the branch has it that others take, else undefined: no git, or no such branch. */
export async function lastLanding(): Promise<string | undefined> {
  for (const branch of ['origin/HEAD', 'main']) {
    const { code, output } = await run('git', ['show', `${branch}:${landedList}`], { output: 'keep' });
    if (code === 0) return output;
  }
  return undefined;
}

function line({ name, text }: MigrationFile): string {
  return `${createHash('sha256').update(text).digest('hex')}  ${name}`;
}

function lines(list: string): { readonly name: string; readonly whole: string }[] {
  return list
    .split('\n')
    .filter((whole) => whole !== '')
    .map((whole) => ({ whole, name: whole.slice(whole.indexOf('  ') + 2) }));
}
