import { VERSION } from '../version.ts';
import {
  type CommandEntry,
  type CommandGroup,
  helpOf,
  helpOfGroup,
  type NamedCommand,
  type Output,
  parseInvocation,
} from './command.ts';

/**
 * Finds and runs a command. With `--json` whatever goes wrong is one JSON document too, the last line of standard
 * error: `{"error":{"code":"usage" or "failed","message":…}}`.
 * @returns exit code: 0 done, 1 refused or failed, 2 called wrongly; a command may have more, which its help names
 */
export async function runCommand(
  commands: readonly (CommandEntry | CommandGroup)[],
  args: readonly string[],
  output: Output,
): Promise<number> {
  if (!hasFlag(args, 'json')) return call(commands, args, output);
  const errors: string[] = [];
  const code = await call(commands, args, { ...output, err: (line) => errors.push(line) });
  if (errors.length > 0) {
    const message = errors.join('\n').replace(/^counterfoil[^:]*: /, '');
    output.err(JSON.stringify({ error: { code: code === 2 ? 'usage' : 'failed', message } }));
  }
  return code;
}

/** Whether an option without value stands among the words. What follows `--` are no options. */
function hasFlag(args: readonly string[], name: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(`--${name}`);
}

async function call(
  commands: readonly (CommandEntry | CommandGroup)[],
  args: readonly string[],
  output: Output,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version') return showVersion(rest, output);
  if (isHelp(name)) {
    // 'help customer list' is 'customer list --help'.
    if (rest.some((word) => !word.startsWith('-'))) return call(commands, [...rest, '--help'], output);
    output.out(overview(commands));
    return 0;
  }
  if (name === undefined || name.startsWith('-')) {
    if (name === undefined) output.out(overview(commands));
    else output.err(`counterfoil: '${name}' stands where a command should; 'counterfoil help' lists them`);
    return 2;
  }
  const found = commands.find((one) => one.name === name);
  if (found === undefined) {
    output.err(`counterfoil: there is no command '${name}'; 'counterfoil help' lists them`);
    return 2;
  }
  if ('actions' in found) return runAction(found, rest, output);
  return runOne(found, rest, output);
}

const isHelp = (word: string | undefined): boolean => word === 'help' || word === '--help' || word === '-h';

function showVersion(rest: readonly string[], output: Output): number {
  const isJson = rest.includes('--json');
  const versions = { version: VERSION, node: process.versions.node };
  output.out(isJson ? JSON.stringify(versions) : `counterfoil ${VERSION} (Node ${process.versions.node})`);
  return 0;
}

async function runAction(group: CommandGroup, args: readonly string[], output: Output): Promise<number> {
  const [name, ...rest] = args;
  const { otherwise } = group;
  if (isHelp(name) && rest.some((word) => !word.startsWith('-')))
    return runAction(group, [...rest, '--help'], output);
  if (otherwise !== undefined && group.actions.every((one) => one.name !== name))
    return runOne(otherwise, args, output);
  if (name === undefined || isHelp(name)) {
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

async function runOne(entry: CommandEntry, rest: readonly string[], output: Output): Promise<number> {
  const { name, summary } = entry;
  const command: NamedCommand = { ...(await entry.load()), name, summary };
  try {
    if (hasFlag(rest, 'help') || rest[0] === '-h') {
      output.out(helpOf(command));
      return 0;
    }
    return await command.run(parseInvocation(command, rest, output.out));
  } catch (error) {
    // Only what goes wrong has to know every kind of fault.
    const { explain } = await import('./doctor/explain.ts');
    return explain(command, error, output);
  }
}

function overview(commands: readonly (CommandEntry | CommandGroup)[]): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 3;
  return [
    'counterfoil <command> [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}${command.summary}`),
    '',
    "'counterfoil <command> --help' explains one; 'counterfoil --version' says which version this is. Settings come from the environment: see docs/operations.md.",
  ].join('\n');
}
