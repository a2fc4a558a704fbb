import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.ts';
import { filesMatching } from '../project-files.ts';

const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');

/** Packages that the first column of the page's tables names. */
function described(): string[] {
  const firstCells = page.split('\n').flatMap((line) => /^\| (`[^|]+)\|/.exec(line)?.[1] ?? []);
  return firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** Packages that any workspace asks for, without our own. */
function asked(): string[] {
  const files = filesMatching(root, /^((apps|packages)\/[^/]+\/)?package\.json$/);
  const names = files.flatMap((file) => {
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, object | undefined>;
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {}),
    );
  });
  return [...new Set(names)].filter((name) => !name.startsWith('@counterfoil/'));
}

it('names every direct dependency once, and none that is gone', () => {
  const [words, packages] = [described(), asked()];
  expect(new Set(words)).toEqual(new Set(packages));
  expect(words).toHaveLength(packages.length);
});

it('gives each a purpose', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.filter((row) => (row.split('|')[2]?.trim() ?? '') === '')).toEqual([]);
});
