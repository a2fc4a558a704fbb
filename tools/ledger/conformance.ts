/** Which tests show the conformance cases of a gateway, and whether each case has one that runs. */
import type { Conformance, Shown } from '@counterfoil/gateways/cases/conformance.ts';
import type { Operation } from '@counterfoil/gateways/cases/list/operations.ts';
import { readTest } from './test-file.ts';

/** A case with the tests that show it. */
export interface ShownCase {
  /** From 1. */
  readonly number: number;
  readonly what: string;
  readonly shownBy: readonly Shown[];
}

/** Whether a test of this file shows cases of a gateway by the numbers in its title. Paths are from the top of the repository. */
export const isTestOf = (id: string, file: string): boolean =>
  file.endsWith('.test.ts') &&
  (file.startsWith(`packages/gateways/src/${id}/`) || file.startsWith(`apps/api/test/paying/gateways/${id}`));

/** The numbers at the head of a title: `7, 11-13: …`. */
function numbersOf(title: string): number[] {
  const [, head = ''] = /^(\d+(?:(?:-|, )\d+)*): /.exec(title) ?? [];
  return head
    .split(', ')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/**
 * The cases of a gateway with the tests that show them, and what is wrong with these, one line each; no faults when every case
 * has a test that runs, and each test names cases there are.
 * @param sources of all test files that may show one, by their path from the top of the repository
 */
export function shownCases(
  id: string,
  { cases, elsewhere = {} }: Pick<Conformance, 'cases' | 'elsewhere'>,
  sources: ReadonlyMap<string, string>,
): { readonly cases: readonly ShownCase[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const shownBy = cases.map((): Shown[] => []);
  const show = (number: number, shown: Shown): void => {
    const tests = shownBy[number - 1];
    if (tests === undefined) faults.push(`${shown.file}: '${shown.title}' shows ${number}, which is no case`);
    else tests.push(shown);
  };
  const titlesOf = (file: string) => readTest(file, sources.get(file) ?? '').tests.map(({ title }) => title);
  for (const file of [...sources.keys()].filter((one) => isTestOf(id, one)))
    for (const title of titlesOf(file)) for (const number of numbersOf(title)) show(number, { file, title });
  for (const [number, shown] of Object.entries(elsewhere)) {
    const runs = shown.title.trim() !== '' && titlesOf(shown.file).some((one) => one.includes(shown.title));
    if (runs) show(Number(number), shown);
    else faults.push(`${number}: ${shown.file} has no test '${shown.title}' that runs`);
  }
  const list = cases.map((what, index) => ({ number: index + 1, what, shownBy: shownBy[index] ?? [] }));
  for (const { number, shownBy: tests } of list)
    if (tests.length === 0) faults.push(`${number}: nothing shows it`);
  return { cases: list, faults };
}

/** One line per case: its number, what it is, and its tests. */
export function conformanceLines(cases: readonly ShownCase[]): string[] {
  return cases.map(({ number, what, shownBy }) => {
    const tests = shownBy.map(({ file, title }) => `${file}: ${title}`).join('; ');
    return `${String(number).padStart(3)}  ${what}  [${tests}]`;
  });
}

/**
 * Faults, one line each; none when every operation has a test of its title, which runs for every gateway of the registry except
 * those whose manifest gives the reason that the table shows.
 * @param source of the file with the tests
 */
export function operationFaults(
  operations: readonly Pick<Operation, 'id' | 'title'>[],
  file: string,
  source: string,
): string[] {
  const titles = new Set(readTest(file, source).tests.map(({ title }) => title));
  const text = source.replaceAll(/\s+/g, '');
  const isEvery = [
    'describe.each(testedGateways)(',
    'constlacks=(id:OperationId)=>whyLacking(id,manifest)!==undefined;',
  ].every((part) => text.includes(part));
  return [
    ...(isEvery ? [] : [`${file} does not run over every gateway`]),
    ...operations.flatMap(({ id, title }) => {
      if (!titles.has(title)) return [`${id}: ${file} has no test '${title}' that runs`];
      const call = new RegExp(
        `it\\.skipIf\\(lacks\\('${id}'\\)\\)(\\.each\\(\\w+\\))?\\('${literal(title.replaceAll(/\s+/g, ''))}',`,
      );
      return call.test(text) ? [] : [`${id}: '${title}' is not skipped by lacks('${id}') alone`];
    }),
  ];
}

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
