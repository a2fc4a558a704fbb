import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { architectureFaults } from './architecture.ts';
import { newGateway } from './new-gateway.ts';
import { packageFile, root, runScript } from './process.ts';

let project: string;

beforeEach(() => {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  project = mkdtempSync(join(root, 'node_modules/.cache/new-gateway-'));
  for (const name of ['domain', 'gateways']) {
    const folder = join(project, 'packages', name);
    mkdirSync(folder, { recursive: true });
    cpSync(join(root, 'packages', name, 'src'), join(folder, 'src'), {
      recursive: true,
      filter: (source) => !/\/gateways\/src\/stripe$|\.test\.ts$/.test(source),
    });
  }
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});

afterEach(() => rmSync(project, { recursive: true }));

it('makes files that type-check, keep the rules and pass their own test', async () => {
  expect(await newGateway(['acme-pay', '--code', '77'], project)).toBe(0);
  const folder = join(project, 'packages/gateways/src/acme-pay');
  expect(readdirSync(folder)).toEqual(['gateway.ts', 'manifest.ts', 'sandbox.ts', 'wire.test.ts', 'wire.ts']);
  expect(architectureFaults(project).filter(({ path }) => path.includes('acme-pay'))).toEqual([]);

  // Imports by package name still reach the real packages; those by path stay in the copy.
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        types: ['node'],
        incremental: false,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: ['packages/gateways/src/acme-pay'],
    }),
  );
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  const types = await runScript(packageFile('typescript/bin/tsc'), ['-p', project], { output: 'keep' });
  expect(types).toEqual({ code: 0, output: '' });
  // The copy lies below node_modules, which is excluded otherwise.
  writeFileSync(
    join(project, 'vitest.config.mjs'),
    "export default { test: { exclude: [], include: ['packages/**/*.test.ts'] } };",
  );
  const args = ['run', `--root=${project}`];
  const test = await runScript(packageFile('vitest/vitest.mjs'), args, { cwd: project, output: 'keep' });
  expect(test).toMatchObject({ code: 0, output: expect.stringContaining('6 passed') });
}, 60_000);

it.each([
  [[], 'A name is missing.'],
  [['Acme Pay'], 'no name for a gateway'],
  [['../evil'], 'no name for a gateway'],
  [['acme', '--code', 'x'], 'whole number'],
  [['sandbox-host'], 'exists already'],
])('refuses %j', async (args, message) => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await newGateway(args, project)).toBe(1);
  expect(String(stderr.mock.calls[0]?.[0])).toContain(message);
});
