/** Whether tests prove the rows of the ledger: which titles name which rows, and what is wrong with that. */
import type { Area } from './areas.ts';
import { rowsNamed } from './names.ts';
import type { Row } from './row.ts';
import { readTest, type TestFile } from './test-file.ts';

const IN_BROWSER = /^e2e\/.*\.spec\.ts$/;

/** A test that names a row: its file from the top of the repository, and its title without the names. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}

/** Proofs by row id, in the order of the files. */
export type Proofs = ReadonlyMap<string, readonly Proof[]>;

/** Test files by path from the top of the repository, as `readTests` gives them. */
type TestFiles = ReadonlyMap<string, TestFile>;

/**
 * Parses test files.
 * @param sources by path from the top of the repository
 * @throws {SyntaxError} when one does not parse
 */
export function readTests(sources: Iterable<readonly [file: string, source: string]>): TestFiles {
  return new Map([...sources].map(([file, source]) => [file, readTest(file, source)]));
}

/** Finds the tests that name each row, and what they name that is no row: one line a fault. */
export function findProofs(
  ledger: readonly Area[],
  files: TestFiles,
): { proofs: Proofs; faults: readonly string[] } {
  const rows = new Map(ledger.flatMap((area) => area.rows).map((row) => [row.id, row]));
  const proofs = new Map<string, Proof[]>();
  const faults: string[] = [];
  for (const [file, { tests }] of files) {
    for (const { title, names } of tests) {
      const named = names.map((name) => rowsNamed(name, rows));
      faults.push(...named.flatMap((one) => one.faults.map((fault) => `${file}: '${title}' ${fault}`)));
      for (const { id } of new Set(named.flatMap((one) => one.rows))) {
        proofs.set(id, [...(proofs.get(id) ?? []), { file, title }]);
      }
    }
  }
  return { proofs, faults };
}

/**
 * Faults of the ledger, one line each; none when it is right: ids are unique, titles name rows that exist, each row is
 * named by a test that runs, a text that is specified stands in one of its test files, and what is seen on a screen has
 * a test in a browser.
 */
export function check(ledger: readonly Area[], files: TestFiles): string[] {
  const { proofs, faults } = findProofs(ledger, files);
  const seen = new Set<string>();
  const twice: string[] = [];
  for (const { name, rows } of ledger) {
    for (const { id } of rows) {
      if (seen.has(id)) twice.push(`${name}: the id ${id} stands twice`);
      seen.add(id);
    }
  }
  const ofRows = ledger.flatMap(({ rows }) =>
    rows.flatMap((row) => rowFaults(row, proofs.get(row.id) ?? [], files)),
  );
  return [...twice, ...faults, ...ofRows];
}

/** What people look at: only a browser shows that it is there. */
const isSeen = ({ kind }: Row): boolean => kind === 'screen' || kind === 'control' || kind === 'text';

function rowFaults(row: Row, proofs: readonly Proof[], files: TestFiles): string[] {
  if (proofs.length === 0) return [`${row.id}: no test that runs names it`];
  const faults: string[] = [];
  if (isSeen(row) && !proofs.some(({ file }) => IN_BROWSER.test(file))) {
    faults.push(`${row.id}: it is seen on a screen, and no test in a browser proves it`);
  }
  if (row.text !== undefined) {
    const pattern = textPattern(row.text);
    const holds = ({ file }: Proof) => files.get(file)?.strings.some((one) => pattern.test(one)) === true;
    if (!proofs.some(holds)) faults.push(`${row.id}: no file that proves it holds the text '${row.text}'`);
  }
  return faults;
}

/** Matches a specified text; `{name}` stands for any value of one to 200 characters on one line. */
export function textPattern(text: string): RegExp {
  const pieces = text
    .split(/\{[A-Za-z][A-Za-z0-9 ]*\}/)
    .map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(pieces.join('.{1,200}?'));
}
