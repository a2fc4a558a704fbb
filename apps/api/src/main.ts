import { commands } from './cli/commands.ts';
import { runCommand } from './cli/run.ts';
import { keepFilesPrivate } from './files/private.ts';

keepFilesPrivate();

const line = (stream: NodeJS.WriteStream) => (text: string) => {
  stream.write(`${text}\n`);
};

// Who reads may have seen enough, as `head` has: no fault of the command.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await runCommand(commands, process.argv.slice(2), {
  out: line(process.stdout),
  err: line(process.stderr),
});
