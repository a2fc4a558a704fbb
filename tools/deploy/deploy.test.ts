import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../apps/api/src/cli/commands.ts';
import { root } from '../process.ts';
import { filesMatching } from '../project-files.ts';

const files = filesMatching(root, /^deploy\//);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, found = '']) => found)),
];

/** Of the database's image, of the health check in the image, and of compose itself. */
const others = new Set(['POSTGRES_PASSWORD', 'POSTGRES_USER', 'HEALTH_PORT']);

describe('what deploys the product', () => {
  it.each(files)('%s names settings and commands that there are', (path) => {
    const text = read(path);
    const settings = read('docs/operations.md');
    const unknown = all(text, /\b([A-Z]{2,}(?:_[A-Z]+)+|PORT|HOST|DEMO)\b(?=[=:])/g).filter(
      (name) => !others.has(name) && !settings.includes(`\`${name}\``) && !settings.includes(`\`${name}=`),
    );
    expect(unknown).toEqual([]);
    const names = new Set(commands.map(({ name }) => name));
    const called = all(text, /(?:counterfoil\/counterfoil |command: \[|args: \[|^CMD \[")(\w+)/gm);
    expect(called.filter((name) => !names.has(name))).toEqual([]);
  });

  it('watches figures that there are', () => {
    const known = read('docs/operations.md');
    for (const path of files.filter((one) => one.startsWith('deploy/monitoring/'))) {
      const named = all(read(path), /\b(counterfoil_[a-z_]+)\b/g).map((name) =>
        name.replace(/_(bucket|count)$/, ''),
      );
      expect(named.length).toBeGreaterThan(5);
      expect(named.filter((name) => !known.includes(`\`${name}\``))).toEqual([]);
    }
  });
});
