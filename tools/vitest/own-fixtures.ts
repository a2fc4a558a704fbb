import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { filesMatching } from '../project-files.ts';

/** What tests share: neither a test nor the product. */
const HELPERS = /^apps\/api\/test\/(?!.*\.(test|prove)\.ts$).*\.ts$/;
/** Opens something, or speaks to the runner, where the module is loaded. */
const BINDS = /^(export )?const \w+ = use[A-Z]\w*\(|^(before|after)(All|Each)\(/m;
const IMPORTED = /\bfrom '(\.[^']+)'/g;
const FOR = '?for=';

/**
 * Test files of one worker share the modules of the product. A fixture that is bound to the file it serves (its
 * database, its hooks) is loaded once for each file, and with it what imports it.
 */
export function ownFixtures(root: string): Plugin {
  const bound = boundHelpers(root);
  return {
    name: 'own-fixtures',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return null;
      const [file = '', owner] = importer.split(FOR);
      const path = join(dirname(file), source);
      if (!bound.has(relative(root, path))) return null;
      return `${path}${FOR}${owner ?? encodeURIComponent(relative(root, file))}`;
    },
  };
}

/** Those that bind, and those that import one of them. */
function boundHelpers(root: string): ReadonlySet<string> {
  const imports = new Map<string, readonly string[]>();
  const bound = new Set<string>();
  for (const path of filesMatching(root, HELPERS)) {
    const text = readFileSync(join(root, path), 'utf8');
    if (BINDS.test(text)) bound.add(path);
    imports.set(
      path,
      [...text.matchAll(IMPORTED)].map(([, from = '']) => join(dirname(path), from)),
    );
  }
  for (let before = -1; before < bound.size; ) {
    before = bound.size;
    for (const [path, from] of imports) if (from.some((one) => bound.has(one))) bound.add(path);
  }
  return bound;
}
