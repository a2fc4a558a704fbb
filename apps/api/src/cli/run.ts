import { BadConfig, readSettings } from '../config.ts';
import { SchemaMismatch } from '../db/migrate.ts';
import { AdminRefused } from '../features/admin/refused.ts';
import {
  type Command,
  CommandError,
  type CommandGroup,
  helpOf,
  helpOfGroup,
  parseInvocation,
  UsageError,
} from './command.ts';
import { type Places, sentenceFor } from './world-faults.ts';

export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/**
 * Finds and runs a command.
 * @returns exit code: 0 done, 1 refused or failed, 2 called wrongly
 */
export async function runCommand(
  commands: readonly (Command | CommandGroup)[],
  args: readonly string[],
  output: Output,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === 'help') {
    output.out(overview(commands));
    return name === undefined ? 2 : 0;
  }
  const found = commands.find((one) => one.name === name);
  if (found === undefined) {
    output.err(`counterfoil: there is no command '${name}'; 'counterfoil help' lists them`);
    return 2;
  }
  if ('actions' in found) return runAction(found, rest, output);
  return runOne(found, rest, output);
}

async function runAction(group: CommandGroup, args: readonly string[], output: Output): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === 'help') {
    output.out(helpOfGroup(group));
    return name === undefined ? 2 : 0;
  }
  const action = group.actions.find((one) => one.name === name);
  if (action === undefined) {
    output.err(
      `counterfoil ${group.name}: there is no action '${name}'; 'counterfoil ${group.name} --help' lists them`,
    );
    return 2;
  }
  return runOne({ ...action, name: `${group.name} ${action.name}` }, rest, output);
}

async function runOne(command: Command, rest: readonly string[], output: Output): Promise<number> {
  try {
    const invocation = parseInvocation(command, rest, output.out);
    if (invocation.help) {
      output.out(helpOf(command));
      return 0;
    }
    return await command.run(invocation);
  } catch (error) {
    return explain(command, error, output);
  }
}

function explain(command: Command, error: unknown, output: Output): number {
  if (error instanceof UsageError) {
    output.err(`counterfoil ${command.name}: ${error.message}; see 'counterfoil ${command.name} --help'`);
    return 2;
  }
  const isExpected = [CommandError, BadConfig, SchemaMismatch, AdminRefused].some(
    (kind) => error instanceof kind,
  );
  if (isExpected && error instanceof Error) {
    output.err(`counterfoil ${command.name}: ${error.message}`);
    return 1;
  }
  const said = sentenceFor(error, places());
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  output.err(`counterfoil ${command.name}: ${said ?? `a fault of the program: ${stack}`}`);
  return 1;
}

/** Where things are, for what is said of them; undefined where the settings themselves are bad. */
function places(): Places | undefined {
  try {
    return readSettings();
  } catch {
    return undefined;
  }
}

function overview(commands: readonly (Command | CommandGroup)[]): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 3;
  return [
    'counterfoil <command> [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}${command.summary}`),
    '',
    "'counterfoil <command> --help' explains one. Settings come from the environment: see docs/operations.md.",
  ].join('\n');
}
