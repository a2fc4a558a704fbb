import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { architectureFaults } from './architecture.ts';
import { casesRegistry, gatewayFolders, sandboxRegistry, serverRegistry } from './generate/registries.ts';
import { newGateway } from './new-gateway.ts';
import { packageFile, root, runScript } from './process.ts';

let project: string;

beforeEach(() => {
  // Not below a node_modules: Node strips no types there, and the sandbox runs as a process of its own.
  project = realpathSync(mkdtempSync(join(tmpdir(), 'counterfoil-new-gateway-')));
  for (const name of [
    'packages/domain',
    'packages/gateways',
    'packages/sandbox',
    'packages/testing',
    'apps/sandbox',
  ]) {
    cpSync(join(root, name, 'package.json'), join(project, name, 'package.json'));
    cpSync(join(root, name, 'src'), join(project, name, 'src'), {
      recursive: true,
      filter: (source) =>
        source.endsWith('/cases/every-gateway.test.ts') ||
        !/\/gateways\/src\/stripe$|\.test\.ts$/.test(source),
    });
  }
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@counterfoil'), { recursive: true });
  for (const name of ['domain', 'gateways', 'sandbox', 'testing'])
    symlinkSync(join(project, 'packages', name), join(modules, '@counterfoil', name));
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !/^\.|^@counterfoil$/.test(one)))
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});

afterEach(() => rmSync(project, { recursive: true }));

it('makes files that type-check, keep the rules and pass the cases of all gateways', async () => {
  expect(await newGateway(['acme-pay', '--code', '77'], project)).toBe(0);
  const folder = join(project, 'packages/gateways/src/acme-pay');
  expect(readdirSync(folder)).toEqual([
    'cases-data.ts',
    'demo.ts',
    'gateway.ts',
    'manifest.ts',
    'sandbox.ts',
    'wire.test.ts',
    'wire.ts',
  ]);
  expect(architectureFaults(project).filter(({ path }) => path.includes('acme-pay'))).toEqual([]);
  const source = join(project, 'packages/gateways/src');
  const made = gatewayFolders(source).filter(({ id }) => id === 'acme-pay');
  writeFileSync(join(source, 'registry.ts'), serverRegistry(made));
  writeFileSync(join(source, 'cases-registry.ts'), casesRegistry(made));
  writeFileSync(join(source, 'sandbox-registry.ts'), sandboxRegistry(made));

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
  const types = await runScript(packageFile('typescript/bin/tsc'), ['-p', project], { output: 'keep' });
  expect(types).toEqual({ code: 0, output: '' });
  writeFileSync(
    join(project, 'vitest.config.mjs'),
    "export default { test: { include: ['packages/**/*.test.ts'], testTimeout: 20_000 } };",
  );
  const args = ['run', `--root=${project}`];
  const test = await runScript(packageFile('vitest/vitest.mjs'), args, { cwd: project, output: 'keep' });
  expect(test.output).toContain('2 passed');
  expect(test).toMatchObject({ code: 0, output: expect.not.stringContaining('failed') });
});

it.each([
  [[], 'A name is missing.'],
  [['Acme Pay'], 'no name for a gateway'],
  [['../evil'], 'no name for a gateway'],
  [['acme', '--code', 'x'], 'whole number'],
  [['kit'], 'exists already'],
])('refuses %j', async (args, message) => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await newGateway(args, project)).toBe(1);
  expect(String(stderr.mock.calls[0]?.[0])).toContain(message);
});
