/** Running what the scripts hand over to, and ending with it. */
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { mallocSettings, nodeFlags, root } from './node.mjs';

const parentPollMs = 200;
/** After the order to stop, besides the pause in which the server answers on: it ends by itself before. */
const killAfterMs = 20_000;

/** Runs a script on the given Node. It learns of our end through the channel, whatever ends us. */
export function runNode(node, nodeArgs, cwd) {
  return run(node, [...nodeFlags, ...nodeArgs], {
    cwd,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.fromEntries(
      Object.entries(mallocSettings).map(([name, value]) => [name, process.env[name] || value]),
    ),
  });
}

/** Threads that hash passwords, one a core, and two for files, host names and compression. */
function threadPoolSize() {
  return process.env['UV_THREADPOOL_SIZE'] || String(Math.max(4, cpus().length + 2));
}

/**
 * Runs a program, and passes signals on to it.
 * @param options those of spawn; `env` is added to ours, and `isHopeless` says of what it wrote to a piped standard error
 *   whether to end it at once
 * @returns how it ended: its exit code or signal, and what it wrote to a standard error that is piped
 */
export function run(command, commandArgs, options) {
  return new Promise((settle) => {
    // A relative DATA_DIR means the project's directory in every command.
    const env = {
      ...process.env,
      DATA_DIR: resolve(root, process.env['DATA_DIR'] || '.data'),
      UV_THREADPOOL_SIZE: threadPoolSize(),
      ...options.env,
    };
    const child = spawn(command, commandArgs, { ...options, env });
    const forward = (signal) => child.kill(signal);
    // A terminal sends Ctrl-C to the whole group; the child has it already.
    const forwardInterrupt = () => process.stdin.isTTY || child.kill('SIGINT');
    process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', forwardInterrupt);
    const unwatch = watchParent(() => endChild(child));
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      errors += text;
      if (options.isHopeless?.(errors)) child.kill('SIGKILL');
    });
    const settled = (code, signal) => {
      unwatch();
      process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', forwardInterrupt);
      settle({ code, signal, errors });
    };
    child.on('error', (error) => {
      if (child.stderr) errors += error.message;
      else process.stderr.write(`${command}: ${error.message}\n`);
      settled(1, null);
    });
    child.on(child.stderr ? 'close' : 'exit', settled);
  });
}

/** npm killed outright tells nobody: it shows only in that we have another parent. */
function watchParent(onGone) {
  if (!process.env['npm_lifecycle_event']) return () => undefined;
  const parent = process.ppid;
  // Once: a second word to the server means that nobody wants to wait for what is under way.
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    onGone();
  }, parentPollMs).unref();
  return () => clearInterval(poll);
}

function endChild(child) {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), killAfterMs + stopPauseMs()).unref();
}

function stopPauseMs() {
  return Number(process.env['STOP_PAUSE_MS']) || 5_000;
}

/** Ends as the child ended, so that callers see its exit code or signal. */
export function finish({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  process.exit(code ?? 1);
}
