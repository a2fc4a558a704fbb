import { commands } from './cli/commands.ts';
import { runCommand } from './cli/run.ts';
import { keepFilesPrivate } from './files/private.ts';

keepFilesPrivate();

const line = (stream: NodeJS.WriteStream) => (text: string) => {
  stream.write(`${text}\n`);
};

process.exitCode = await runCommand(commands, process.argv.slice(2), {
  out: line(process.stdout),
  err: line(process.stderr),
});
