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

/** All files of the project, relative and with `/`, sorted. */
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
  return found.sort((a, b) => (a < b ? -1 : 1));
}
