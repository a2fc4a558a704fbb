import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { commands } from './cli/commands.ts';
import { runCommand } from './cli/run.ts';
import { keepFilesPrivate } from './files/private.ts';

keepFilesPrivate();
// What was loaded is not compiled again next time. Where the folder cannot be written, nothing is remembered.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/counterfoil'));

const line = (stream: NodeJS.WriteStream) => (text: string) => {
  stream.write(`${text}\n`);
};

process.exitCode = await runCommand(commands, process.argv.slice(2), {
  out: line(process.stdout),
  err: line(process.stderr),
});
