import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes mails from the outbox.
 * @param to addresses in lower case whose mails go; undefined: all
 * @returns how many
 */
export async function removeMails(dataDir: string, to: ReadonlySet<string> | undefined): Promise<number> {
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  let removed = 0;
  for (const name of names.filter((one) => one.endsWith('.eml'))) {
    const path = join(folder, name);
    if (to !== undefined && !to.has(recipientOf(await readFile(path, 'utf8')))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

const recipientOf = (mail: string): string =>
  /^To:\s*(?:.*<)?([^<>\s]+@[^<>\s]+)>?\s*$/im.exec(mail)?.[1]?.toLowerCase() ?? '';

/** Removes the journal of the gateway sandbox, which is a demo's alone. */
export const removeSandbox = (dataDir: string): Promise<void> =>
  rm(join(dataDir, 'sandbox'), { recursive: true, force: true });
