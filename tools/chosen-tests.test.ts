import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chosenSteps } from './chosen-tests.ts';
import { root } from './process.ts';

const names = (...paths: string[]) => {
  const steps = chosenSteps(paths, join(root, 'tools'));
  return typeof steps === 'string' ? steps : steps.map(({ name }) => name);
};

it('runs each path with what runs its kind, wherever the caller is', () => {
  expect(
    names(
      'tools/run.test.ts',
      'run-steps.test.ts',
      'e2e/portal/import.spec.ts',
      '../e2e/records/invoices.spec.ts',
    ),
  ).toEqual([
    'only the tests of tools/run.test.ts, tools/run-steps.test.ts',
    'only the end-to-end tests of e2e/portal/import.spec.ts, e2e/records/invoices.spec.ts',
  ]);
  expect(names(join(root, 'packages/domain'))).toEqual(['only the tests of packages/domain']);
});

it.each(['tools/gone.test.ts', '-t', '../..', '/etc/passwd'])('does not pass over %s', (path) => {
  expect(names('tools/run.test.ts', path)).toContain(`There is no ${path} in the project`);
});
