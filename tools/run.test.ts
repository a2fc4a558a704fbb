import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { root } from './process.ts';
import { nodePackage } from './run/node.mjs';

/** Says what it sees, and ends only when it is told to. */
const program = `
process.on('SIGTERM', () => { console.log('told to end'); process.exit(7); });
console.log(JSON.stringify({ pid: process.pid, cwd: process.cwd(), args: process.argv.slice(2), node: process.execPath,
  dataDir: process.env.DATA_DIR, demo: process.env.DEMO ?? null }));
if (process.argv.includes('fail')) process.exitCode = 3;
else setInterval(() => {}, 1000);
`;
/** The portal is there; the server is built as it is written. */
const fakeTasks = `
import { cpSync } from 'node:fs';
import { root } from './run/node.mjs';
import { serverProgram } from './run/server-program.mjs';
if (process.argv[2] === 'build-server') cpSync(root + '/apps/api/src/main.ts', root + '/' + serverProgram(root));
`;
/** Stands for npm: a parent that can be killed. */
const fakeNpm = `
const child = require('node:child_process').spawn(process.execPath, [process.argv[1], 'counterfoil'], { stdio: 'inherit' });
child.on('exit', () => process.exit());
`;

/** Stands for npm: notes where it is, what runs it and what begins the PATH, and puts the Node in place. */
const npmThatInstallsNode = `
const fs = require('node:fs'), path = require('node:path');
const first = process.env.PATH.split(':')[0];
fs.appendFileSync(path.join(__dirname, 'called'), process.cwd() + ' ' + process.execPath + ' ' + (first.includes('.cache') ? first : '') + '\\n');
if (process.cwd() !== __dirname) {
  const { dependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  const bin = path.join('node_modules', Object.keys(dependencies)[0], 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.copyFileSync(process.execPath, path.join(bin, 'node'));
}
`;
const pinned = String(nodePackage);

let project: string;
let started: ChildProcess[];

beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'counterfoil-run-')));
  started = [];
  for (const folder of ['tools', 'apps/api/src', 'packages', 'node_modules', 'elsewhere']) {
    mkdirSync(join(project, folder), { recursive: true });
  }
  for (const file of [
    'tools/run.mjs',
    'tools/run',
    'tools/end-with-parent.mjs',
    'package.json',
    'package-lock.json',
  ]) {
    cpSync(join(root, file), join(project, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules', pinned), join(project, 'node_modules', pinned));
  cpSync(join(project, 'package-lock.json'), join(project, 'node_modules/.package-lock.json'));
  writeFileSync(join(project, 'apps/api/src/main.ts'), program);
  writeFileSync(join(project, 'tools/tasks.ts'), fakeTasks);
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(project, { recursive: true });
});

describe('handing over', () => {
  it('runs the pinned Node where the caller is, with its arguments, and passes the exit code on', async () => {
    const run = start(['tools/run.mjs', 'counterfoil', 'import', 'fail', 'a b.xml'], {
      INIT_CWD: join(project, 'elsewhere'),
      DATA_DIR: 'data',
    });
    expect(await firstLine(run)).toMatchObject({
      cwd: join(project, 'elsewhere'),
      args: ['import', 'fail', 'a b.xml'],
      node: expect.stringContaining('node_modules/node-'),
      dataDir: join(project, 'data'),
      demo: null,
    });
    expect(await ended(run)).toEqual({ code: 3, signal: null });
  });

  it('passes DEMO on as it is: what holds where nothing is said, the program decides', async () => {
    expect(await firstLine(start(['tools/run.mjs', 'start', 'fail']))).toMatchObject({
      args: ['start', 'fail'],
      demo: null,
    });
    expect(await firstLine(start(['tools/run.mjs', 'start', 'fail'], { DEMO: '0' }))).toMatchObject({
      demo: '0',
    });
  });
});

describe('installing', () => {
  /** Changes what is said to be installed, and lets a fake npm tell how it is called. */
  const calledWith = async (change: (packages: Record<string, unknown>) => void) => {
    const list = join(project, 'node_modules/.package-lock.json');
    const lock = JSON.parse(readFileSync(list, 'utf8')) as { packages: Record<string, unknown> };
    change(lock.packages);
    writeFileSync(list, JSON.stringify(lock));
    const npm = join(project, 'npm.cjs');
    writeFileSync(npm, `require('fs').writeFileSync('called', process.argv.slice(2).join(' '))`);
    await ended(start(['tools/run.mjs', 'counterfoil', 'fail'], { npm_execpath: npm }));
    const called = join(project, 'called');
    return existsSync(called) ? readFileSync(called, 'utf8') : undefined;
  };

  it('installs when a package is missing, another version or no longer wanted', async () => {
    expect(await calledWith((packages) => delete packages['node_modules/pg'])).toContain(
      'ci --ignore-scripts',
    );
    rmSync(join(project, 'called'));
    const other = { integrity: 'sha512-other' };
    expect(await calledWith((packages) => (packages['node_modules/pg'] = other))).toContain(
      'ci --ignore-scripts',
    );
  });

  it('asks the registry when what npm remembers is not enough, and stops when that fails too', async () => {
    rmSync(join(project, 'node_modules/.package-lock.json'));
    const npm = join(project, 'npm.cjs');
    writeFileSync(npm, `require('fs').appendFileSync('called', process.argv.at(-1) + ' '); process.exit(9)`);
    expect(await ended(start(['tools/run.mjs', 'counterfoil'], { npm_execpath: npm }))).toMatchObject({
      code: 9,
    });
    expect(readFileSync(join(project, 'called'), 'utf8')).toBe('--prefer-offline --loglevel=warn ');
  });

  it('ends npm at once when the disk is full, which npm only warns of', async () => {
    rmSync(join(project, 'node_modules/.package-lock.json'));
    const npm = join(project, 'npm.cjs');
    const warning = 'npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write';
    writeFileSync(npm, `console.error(${JSON.stringify(warning)}); setInterval(() => {}, 1000);`);
    expect(await ended(start(['tools/run.mjs', 'counterfoil'], { npm_execpath: npm }))).toMatchObject({
      code: 1,
    });
  });

  it('does not when only parts for other platforms are absent', async () => {
    const change = (packages: Record<string, unknown>) => {
      for (const [path, entry] of Object.entries(packages)) {
        if ((entry as { optional?: boolean }).optional && path !== `node_modules/${pinned}`)
          delete packages[path];
      }
    };
    expect(await calledWith(change)).toBeUndefined();
  });
});

describe('an older Node', () => {
  /** What the launcher prints and how it ends, with a fake npm that notes who runs it where. */
  const run = async (edit: { file: string; from: string | RegExp; to: string }) => {
    const file = join(project, edit.file);
    writeFileSync(file, readFileSync(file, 'utf8').replace(edit.from, edit.to));
    rmSync(join(project, 'node_modules/.package-lock.json'));
    const npm = join(project, 'npm.cjs');
    writeFileSync(npm, npmThatInstallsNode);
    const launcher = start(['tools/run.mjs', 'counterfoil', 'fail'], { npm_execpath: npm }, 'pipe');
    let errors = '';
    launcher.stderr?.on('data', (part: Buffer) => {
      errors += part.toString();
    });
    const { code } = await ended(launcher);
    const called = join(project, 'called');
    return { code, errors, calls: existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n') : [] };
  };

  it('is refused in one sentence, before anything is installed', async () => {
    const { code, errors, calls } = await run({
      file: 'package.json',
      from: /"node": ">=\d+"/,
      to: '"node": ">=99"',
    });
    expect([code, calls]).toEqual([1, []]);
    expect(errors).toBe(
      `Counterfoil starts with Node 99 or later, and this is ${process.version}: install a newer one and run the same again.\n`,
    );
  });

  it('installs the pinned one alone where it would leave packages out, which then installs the rest', async () => {
    const { code, calls } = await run({
      file: 'package-lock.json',
      from: /"node": ">=14.21.3"/g,
      to: '"node": ">=99"',
    });
    const first = join(project, '.cache/node');
    const fetched = join(first, 'node_modules', pinned, 'bin/node');
    expect(calls).toEqual([`${first} ${process.execPath} `, `${project} ${fetched} ${join(fetched, '..')}`]);
    expect(existsSync(first)).toBe(false);
    expect(code).toBe(3);
  });
});

describe('ending', () => {
  it('passes SIGTERM on and waits for the program', async () => {
    const run = start(['tools/run.mjs', 'counterfoil']);
    await firstLine(run);
    run.kill('SIGTERM');
    expect(await ended(run)).toEqual({ code: 7, signal: null });
  });

  it('ends the program when the launcher is killed', async () => {
    const run = start(['tools/run.mjs', 'counterfoil']);
    const { pid } = await firstLine(run);
    run.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
  });

  it('ends launcher and program when npm is killed', async () => {
    const npm = start(['--eval', fakeNpm, 'tools/run.mjs'], { npm_lifecycle_event: 'start' });
    const { pid } = await firstLine(npm);
    npm.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
  });
});

describe('tools', () => {
  it('are ended with their children when the process that runs them is killed', async () => {
    const tool = `sleep 1000 & echo "{\\"pid\\": $!}"; wait`;
    const script = `import { run } from ${JSON.stringify(join(root, 'tools/process.ts'))};
      await run('/bin/sh', ['-c', ${JSON.stringify(tool)}]);`;
    const runner = start(['--input-type=module', '--eval', script]);
    const { pid } = await firstLine(runner);
    runner.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
  });
});

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stderr: 'pipe' | 'ignore' = 'ignore',
): ChildProcess {
  const { DATA_DIR: _, DEMO: __, INIT_CWD: ___, npm_lifecycle_event: ____, ...clean } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { ...clean, ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  started.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<{ pid: number }> {
  if (!child.stdout) throw new Error('no output');
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(String(line)) as { pid: number };
}

async function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
