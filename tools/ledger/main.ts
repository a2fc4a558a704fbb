/**
 * The coverage ledger: checks the rows of the specification against the tests whose titles name them, and writes
 * `docs/specification.md`.
 *
 *   tools/ledger/main.ts              writes the page
 *   tools/ledger/main.ts --check      ends with 1 when a row, a title or the page is wrong
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.ts';
import { areas } from './areas.ts';
import { check, findProofs, readTests } from './check.ts';
import { render } from './page.ts';
import { testSources } from './test-file.ts';

const PAGE = join(root, 'docs/specification.md');
const say = (lines: readonly string[]): void => {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
};

function main(option: string | undefined): number {
  const tests = readTests(testSources(root));
  const page = render(areas, findProofs(areas, tests).proofs);
  if (option !== '--check') {
    writeFileSync(PAGE, page);
    return 0;
  }
  const faults = check(areas, tests);
  if (readFileSync(PAGE, 'utf8') !== page)
    faults.push('docs/specification.md is out of date: npm run generate');
  const { length } = areas.flatMap(({ rows }) => rows);
  say(faults.length > 0 ? faults : [`${length} rows, no fault`]);
  return faults.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv[2]);
