/**
 * Entry of every npm script. Plain JavaScript without dependencies, for the Node the machine has (18 or later):
 * installs what is missing, then hands over to the Node that the project pins.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodePackage = `node-${process.platform}-${process.arch}`;
const oldestNode = 24;
const parentPollMs = 200;
const killAfterMs = 15_000;

const [task = 'start', ...args] = process.argv.slice(2);
await main();

async function main() {
  await installIfNeeded();
  const node = findNode();
  if (task === 'start') {
    exitUnless0(await runNode(node, ['tools/tasks.ts', 'build-web'], root));
    finish(await runNode(node, ['apps/api/src/main.ts', 'start', ...args], root));
  } else if (task === 'counterfoil') {
    // npm changed to the project's directory; the caller's file names are relative to where the caller is.
    finish(
      await runNode(node, [join(root, 'apps/api/src/main.ts'), ...args], process.env['INIT_CWD'] ?? root),
    );
  } else {
    finish(await runNode(node, ['tools/tasks.ts', task, ...args], root));
  }
}

/** Runs `npm ci` unless what is installed is what the lock file says. */
async function installIfNeeded() {
  if (isInstalled()) return;
  process.stderr.write('Installing dependencies …\n');
  const npm = process.env['npm_execpath'];
  const [command, ...first] = npm && /\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
  const install = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  // The lock file holds no addresses, so npm asks for each package where it is; what it remembers is usually
  // enough and saves a third of the time. Where that is too old, it asks.
  const fromMemory = await run(command, [...install, '--prefer-offline'], options);
  if (fromMemory.code !== 0) exitUnless0(await run(command, install, options));
}

/**
 * Compares the lock file with the list npm leaves in node_modules when it is done. Only optional packages may be
 * absent, those of other platforms, and this platform's Node shows that they were chosen here.
 */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const node = `node_modules/${nodePackage}`;
  const same = (path) => present[path] && present[path].integrity === wanted[path].integrity;
  const isPresent = (path) => (present[path] ? same(path) : wanted[path].optional && path !== node);
  return (
    Object.keys(present).length > 0 &&
    Object.keys(wanted).every((path) => !path.startsWith('node_modules/') || isPresent(path)) &&
    Object.keys(present).every((path) => wanted[path])
  );
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** The pinned Node, or on a platform that has no package of it the present one if it is new enough. */
function findNode() {
  try {
    const require = createRequire(join(root, 'package.json'));
    const pinned = join(dirname(require.resolve(`${nodePackage}/package.json`)), 'bin', 'node');
    if (existsSync(pinned)) return pinned;
  } catch {
    // not published or not installed for this platform
  }
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return process.execPath;
  process.stderr.write(
    `There is no packaged Node for ${process.platform}-${process.arch}: install Node ${oldestNode} or later (this is ${process.version}).\n`,
  );
  process.exit(1);
}

/** Runs a script on the given Node. It learns of our end through the channel, whatever ends us. */
function runNode(node, nodeArgs, cwd) {
  const preload = pathToFileURL(join(root, 'tools', 'end-with-parent.mjs')).href;
  // Short-lived objects in 4 MiB instead of 16: fifteen megabytes less at rest.
  return run(node, ['--max-semi-space-size=4', '--import', preload, ...nodeArgs], {
    cwd,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

/** Threads that hash passwords, one a core, and two for files, host names and compression. */
function threadPoolSize() {
  return process.env['UV_THREADPOOL_SIZE'] || String(Math.max(4, cpus().length + 2));
}

/** @returns how the process ended: its exit code or signal */
function run(command, commandArgs, options) {
  return new Promise((settle) => {
    // A relative DATA_DIR means the project's directory in every command.
    const env = {
      ...process.env,
      DATA_DIR: resolve(root, process.env['DATA_DIR'] || '.data'),
      UV_THREADPOOL_SIZE: threadPoolSize(),
    };
    const child = spawn(command, commandArgs, { ...options, env });
    const forward = (signal) => child.kill(signal);
    // A terminal sends Ctrl-C to the whole group; the child has it already.
    const forwardInterrupt = () => process.stdin.isTTY || child.kill('SIGINT');
    process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', forwardInterrupt);
    const poll = watchParent(() => endChild(child));
    const settled = (code, signal) => {
      clearInterval(poll);
      process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', forwardInterrupt);
      settle({ code, signal });
    };
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      settled(1, null);
    });
    child.on('exit', settled);
  });
}

/** npm killed outright tells nobody: it shows only in that we have another parent. */
function watchParent(onGone) {
  if (!process.env['npm_lifecycle_event']) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, parentPollMs).unref();
}

function endChild(child) {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
}

function exitUnless0(end) {
  if (end.code !== 0) finish(end);
}

/** Ends as the child ended, so that callers see its exit code or signal. */
function finish({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  process.exit(code ?? 1);
}
