/** What every npm script does: installs what is missing, then hands over to the Node that the project pins. */
import { join } from 'node:path';
import { installIfNeeded } from './install.mjs';
import { findNode, isPackaged, root } from './node.mjs';
import { finish, runNode } from './process.mjs';

const [task = 'start', ...args] = process.argv.slice(2);
const program = join(root, 'apps/api/src/main.ts');
await main();

async function main() {
  if (isPackaged()) return runPackaged();
  await installIfNeeded();
  const node = findNode();
  if (task === 'start') {
    const built = await runNode(node, ['tools/tasks.ts', 'build-web'], root);
    if (built.code !== 0) finish(built);
    finish(await runNode(node, [program, 'start', ...args], root));
  } else if (task === 'counterfoil') {
    // npm changed to the project's directory; the caller's file names are relative to where the caller is.
    finish(await runNode(node, [program, ...args], process.env['INIT_CWD'] ?? root));
  } else {
    finish(await runNode(node, ['tools/tasks.ts', task, ...args], root));
  }
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
  finish(await runNode(findNode(), [program, ...command], process.env['INIT_CWD'] ?? root));
}
