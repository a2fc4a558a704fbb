import { readdirSync } from 'node:fs';

/** What is not written by hand, or not part of the project. */
const skipped = new Set([
  'node_modules',
  'dist',
  '.git',
  '.data',
  '.cache',
  'coverage',
  'test-results',
  'playwright-report',
]);

/**
 * All files of the project, or of a folder in it, relative and with `/`, sorted.
 * @throws {Error} when there is none: whoever checks files must not pass over nothing
 */
export function projectFiles(root: string): string[] {
  const found: string[] = [];
  const visit = (folder: string) => {
    for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory() && !skipped.has(entry.name)) visit(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  visit('');
  if (found.length === 0) throw new Error(`there are no files in ${root}`);
  return found.sort((a, b) => (a < b ? -1 : 1));
}

/**
 * The way tests find the files they check.
 * @param pattern of the path below the folder, with `/`
 * @throws {Error} when no file matches: the folder has moved, or the check is about nothing
 */
export function filesMatching(folder: string, pattern: RegExp): string[] {
  const found = projectFiles(folder).filter((path) => pattern.test(path));
  if (found.length === 0) throw new Error(`no file in ${folder} matches ${pattern}`);
  return found;
}
