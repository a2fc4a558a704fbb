/** Whether the conformance cases of a gateway are shown by tests that are there and run. */
import type { Conformance, Shown } from '@counterfoil/gateways/cases/conformance.ts';
import type { Operation } from '@counterfoil/gateways/cases/operations.ts';
import { readTest } from './test-file.ts';

/** One line per case: its number, what it is, and its tests. */
export function conformanceLines({ cases }: Conformance): string[] {
  return cases.map(({ number, what, shownBy }) => {
    const tests = shownBy.map(({ file, title }) => `${file}: ${title}`).join('; ');
    return `${String(number).padStart(3)}  ${what}  [${tests}]`;
  });
}

/**
 * Faults, one line each; none when every case has a test, and each test named is in its file and runs.
 * @param readSource the source of a file by its path from the top of the repository; undefined when there is none
 */
export function conformanceFaults(
  { cases }: Conformance,
  readSource: (file: string) => string | undefined,
): string[] {
  const titles = new Map<string, readonly string[]>();
  const titlesOf = (file: string): readonly string[] => {
    const source = /\.(test|spec)\.ts$/.test(file) ? readSource(file) : undefined;
    const known =
      titles.get(file) ??
      (source === undefined ? [] : readTest(file, source).tests.map(({ title }) => title));
    titles.set(file, known);
    return known;
  };
  const isShown = ({ file, title }: Shown) =>
    title.trim() !== '' && titlesOf(file).some((one) => one.includes(title));
  return cases.flatMap(({ number, shownBy }, index) => [
    ...(number === index + 1 ? [] : [`${number} stands where ${index + 1} is expected`]),
    ...(shownBy.length > 0 ? [] : [`${number}: nothing shows it`]),
    ...shownBy
      .filter((one) => !isShown(one))
      .map(({ file, title }) => `${number}: ${file} has no test '${title}' that runs`),
  ]);
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
