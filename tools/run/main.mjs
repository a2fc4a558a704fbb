/** What every npm script does: installs what is missing, then hands over to the Node that the project pins. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installIfNeeded } from './install.mjs';
import { findNode, isPackaged, root } from './node.mjs';
import { finish, runNode } from './process.mjs';
import { BUILDS, serverProgram } from './server-program.mjs';

const [task = 'start', ...args] = process.argv.slice(2);
await main();

async function main() {
  if (isPackaged()) return runPackaged();
  await installIfNeeded();
  const node = findNode();
  if (task === 'start') {
    await build(node, 'build-web');
    finish(await runNode(node, [await builtServer(node), 'start', ...args], root));
  } else if (task === 'counterfoil') {
    // npm changed to the project's directory; the caller's file names are relative to where the caller is.
    const program = await builtServer(node);
    finish(await runNode(node, [program, ...args], process.env['INIT_CWD'] ?? root));
  } else {
    finish(await runNode(node, ['tools/tasks.ts', task, ...args], root));
  }
}

async function build(node, what) {
  const built = await runNode(node, ['tools/tasks.ts', what], root);
  if (built.code !== 0) finish(built);
}

/** @returns the path of the server's program, built of the present sources; where nothing can be written, the sources' own */
async function builtServer(node) {
  const program = join(root, serverProgram(root));
  if (existsSync(program)) return program;
  try {
    accessSync(join(root, 'apps/api'), constants.W_OK);
  } catch {
    return join(root, 'apps/api/src/main.ts');
  }
  await build(node, 'build-server');
  return program;
}

/** A packaged installation holds all it needs and may be read-only: nothing is installed or built in it. */
async function runPackaged() {
  if (task !== 'start' && task !== 'counterfoil') {
    process.stderr.write(
      `This is a packaged installation: there are the tasks start and counterfoil, but not "${task}".\n`,
    );
    process.exit(1);
  }
  const command = task === 'start' ? ['start', ...args] : args;
  const [build = ''] = readdirSync(join(root, BUILDS));
  const program = join(root, BUILDS, build, 'main.mjs');
  finish(await runNode(findNode(), [program, ...command], process.env['INIT_CWD'] ?? root));
}
