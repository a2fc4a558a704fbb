import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkArchitecture, type Fault } from './architecture/rules.ts';
import { readSource } from './architecture/source-file.ts';
import { projectFiles } from './project-files.ts';

/** Checks the import rules, cycles and file rules of a checkout. */
export function architectureFaults(root: string): Fault[] {
  const files = projectFiles(root)
    .filter((path) => /\.(tsx?|mts|mjs)$/.test(path))
    .map((path) => readSource(path, readFileSync(join(root, path), 'utf8')));
  return checkArchitecture(files);
}
