import { expect, it } from 'vitest';
import { missingPaths } from './walks.ts';

const files = ['packages/gateways/src/stripe/wire.ts', 'apps/api/src/main.ts', '.ci/run'];

it('finds files, folders and placeholders', () => {
  const guide =
    'See `apps/api/src/main.ts`, `apps/api/src/`, `packages/gateways/src/<name>/wire.ts`, `.ci/run` and `npm test`.';
  expect(missingPaths(guide, files)).toEqual([]);
});

it('names each path that is gone, once', () => {
  const guide =
    '`apps/server/main.ts`, again `apps/server/main.ts`, and `packages/gateways/src/<name>/client.ts`';
  expect(missingPaths(guide, files)).toEqual([
    'apps/server/main.ts',
    'packages/gateways/src/<name>/client.ts',
  ]);
});

it('does not pass over a guide whose paths it does not see', () => {
  expect(() => missingPaths('See apps/api/src/gone.ts.', files)).toThrow('names no path');
});

it('leaves out what is no path of the project', () => {
  expect(
    missingPaths('`../other/file.csv`, `@counterfoil/domain/money/money.ts`, `https://a.example/b`', files),
  ).toEqual([]);
});
