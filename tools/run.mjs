/**
 * Entry of every npm script, plain JavaScript without dependencies for the Node the machine has. This file is kept
 * to what old Nodes can read, so that they can be told; everything else lies in `run/`.
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = Number(/\d+/.exec(engines.node)[0]);

if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `Counterfoil starts with Node ${oldest} or later, and this is ${process.version}: install a newer one and run the same again.\n`,
  );
  process.exitCode = 1;
} else {
  void import('./run/main.mjs');
}
