import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { databaseAccount } from '@counterfoil/postgres/account.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../process.ts';
import { nodePackage } from '../run/node.mjs';
import { buildServer } from '../server-build.ts';
import { buildWeb } from '../web-build.ts';
import { runtimePackages } from './closure.ts';
import { makePackage } from './make.ts';
import { planPackage, sizeOf } from './plan.ts';
import { packageFaults } from './verify.ts';

const megabyte = 1_000_000;
const builder = 'https://builder.example/releases';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
/** The library that a package.json is of, not one of its parts. */
const libraryOf = (path: string): string[] =>
  /^(.*node_modules\/(@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.slice(1, 2) ?? [];

it('follows what is needed to where Node finds it, and nothing else', () => {
  const packages = {
    '': { dependencies: { builder: '1' } },
    'apps/api': {
      dependencies: { '@counterfoil/domain': '1', a: '1' },
      optionalDependencies: { db: '1', other: '1' },
    },
    'packages/domain': { dependencies: { b: '2' } },
    'node_modules/@counterfoil/domain': { resolved: 'packages/domain', link: true },
    'node_modules/builder': {},
    'node_modules/a': { dependencies: { b: '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/db': { dependencies: { d: '1' } },
    'node_modules/d': {},
  };
  const wanted = [
    'apps/api',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/b',
    'node_modules/c',
  ];
  expect(runtimePackages({ packages }, { workspaces: ['apps/api'], without: /^db$/ })).toEqual([
    ...wanted,
    'packages/domain',
  ]);
});

describe('an installation for production', () => {
  const database = useDatabase();
  let parent: string;
  let folder: string;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    expect(await buildWeb()).toBe(0);
    expect(await buildServer()).toBe(0);
    parent = mkdtempSync(join(tmpdir(), 'counterfoil-package-'));
    chmodSync(parent, 0o711);
    folder = join(parent, 'app 1.0');
    makePackage(folder, { postgres: true, node: true }, { startedOn: new Date(), builder, key: privateKey });
    execFileSync('chmod', ['-R', 'a-w', folder]);
    mkdirSync(join(parent, 'data'));
    chmodSync(join(parent, 'data'), 0o777);
  }, 300_000);
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(parent, { recursive: true });
  });

  /** As an account that does not own the installation, where that can be; nothing of ours is on its PATH. */
  const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const account = databaseAccount();
    const child = spawn(program, args, {
      cwd: '/',
      env: {
        PATH: '/usr/bin:/bin',
        DATA_DIR: join(parent, 'data'),
        SECRET_KEY: 'a key only for this test, long enough',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
    });
    started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    return {
      child,
      output: () => output,
      code: once(child, 'close').then(([code]) => code as number | null),
    };
  };
  const program = () => join(folder, 'counterfoil');

  it('keeps to its size, and brings no other platform, test or compiler', () => {
    const size = (parts: { postgres: boolean; node: boolean }) =>
      sizeOf(root, planPackage(root, parts)) / megabyte;
    expect(size({ postgres: true, node: true })).toBeLessThan(300);
    expect(size({ postgres: false, node: false })).toBeLessThan(150);
    const { files } = planPackage(root, { postgres: true, node: true });
    expect(
      files.filter((path) => /\.test\.|\/(vite|typescript|vitest)\/|packages\/testing/.test(path)),
    ).toEqual([]);
    expect(files).toContain('apps/web/dist/index.html');
    expect(files).toContain('tools/run/main.mjs');
  });

  it('is readable by every account, and shares no file with the project', () => {
    expect(statSync(join(folder, 'apps/api/src/main.ts')).mode & 0o777).toBe(0o444);
    expect(statSync(program()).mode & 0o777).toBe(0o555);
    expect(statSync(join(root, 'apps/api/src/main.ts')).mode & 0o200).toBe(0o200);
  });

  it('runs commands read-only from anywhere, also through a link, and starts nothing of npm', async () => {
    const link = join(parent, 'linked');
    symlinkSync('app 1.0/counterfoil', link);
    const help = run(link, ['help'], { DATABASE_URL: database.url });
    expect(await help.code, help.output()).toBe(0);
    expect(help.output()).toContain('counterfoil <command>');
    const migrate = run(program(), ['migrate'], { DATABASE_URL: database.url, DATABASE_TLS: 'off' });
    expect(await migrate.code, migrate.output()).toBe(0);
    const launcher = [join(folder, 'tools/run.mjs'), 'build-web'];
    // Our own Node may lie where that account cannot go.
    const other = run(join(folder, 'node_modules', String(nodePackage), 'bin/node'), launcher);
    expect([await other.code, other.output()]).toEqual([
      1,
      'This is a packaged installation: there are the tasks start and counterfoil, but not "build-web".\n',
    ]);
  });

  it('serves pages read-only, and writes to DATA_DIR alone', async () => {
    const server = run(program(), ['serve', '--json'], {
      DATABASE_URL: database.url,
      PORT: '0',
      LOG_LEVEL: 'error',
    });
    const { listening } = JSON.parse(await lineWith(server.child, 'listening')) as { listening: string };
    const ready = await fetch(`${listening}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('ready')]);
    const page = await fetch(`${listening}/login`, { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')]);
    server.child.kill('SIGTERM');
    expect(await server.code, server.output()).toBe(0);
    expect(existsSync(join(folder, '.data'))).toBe(false);
    expect(existsSync(join(folder, 'node_modules/.cache'))).toBe(false);
  });

  it('says by itself what it is', () => {
    expect(JSON.parse(readFileSync(join(folder, 'packaged.json'), 'utf8'))).toMatchObject({
      postgres: true,
      node: true,
    });
  });

  it('lists every library that lies in it or was built into the portal', async () => {
    const text = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    const { components } = JSON.parse(text) as { components: readonly Record<string, unknown>[] };
    const listed = new Map(components.map((one) => [String(one['bom-ref']), one]));
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const folders = new Set(sums.flatMap((line) => libraryOf(line.slice(66))));
    expect(folders).toContain('node_modules/fastify');
    expect([...folders].filter((path) => !listed.has(path))).toEqual([]);
    expect(listed.get('node_modules/react')).toMatchObject({ licenses: [{ license: { id: 'MIT' } }] });
    for (const one of components)
      if ('purl' in one) expect(one, String(one['purl'])).toMatchObject({ hashes: [{ alg: 'SHA-512' }] });
  });

  it('is as it was made, by the sums that came with it, and signed', () => {
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
    expect(packageFaults(folder, publicKey)).toEqual([]);
    const { payload } = JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8')) as {
      payload: string;
    };
    const lock = readFileSync(join(root, 'package-lock.json'));
    expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toMatchObject({
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { postgres: true, node: true },
          resolvedDependencies: expect.arrayContaining([
            {
              name: 'package-lock.json',
              digest: { sha256: createHash('sha256').update(lock).digest('hex') },
            },
          ]),
        },
        runDetails: { builder: { id: builder } },
      },
    });
  });
});

async function lineWith(child: ChildProcess, text: string): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  const all: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    all.push(line);
    if (line.includes(text)) return line;
  }
  throw new Error(`it ended without ${text}:\n${all.join('\n')}`);
}
