import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** An option of a command, for parsing and for `--help`. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly help: string;
  readonly multiple?: boolean;
  /** What stands for the value in the help text, e.g. `<id>`. */
  readonly value?: string;
  /** Looks at each value before the command runs. @throws {UsageError} for one that it does not take */
  readonly check?: (name: string, text: string) => unknown;
}

export interface Invocation {
  readonly positionals: readonly string[];
  readonly json: boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
  /** One JSON document with `--json`, else the lines. */
  print(json: unknown, lines: readonly string[]): void;
}

/** What one command of `counterfoil` takes and does. */
export interface Command {
  /** Arguments after the name, e.g. `<files…>`. */
  readonly usage: string;
  readonly details?: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** @returns the exit code: 0 done, 1 refused or failed, 2 called wrongly */
  run(invocation: Invocation): Promise<number>;
}

/** A command that can be called: what help says of it, and how the rest is loaded. */
export interface CommandEntry {
  /** In a group, its second word only. */
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** Commands about one kind of thing: `counterfoil reseller add`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly actions: readonly CommandEntry[];
  /** What is called where no action is named: `counterfoil import <files…>`. */
  readonly otherwise?: CommandEntry;
}

/** Where answers and faults go, line by line. */
export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** A command that was loaded, by its whole name. */
export type NamedCommand = Command & Pick<CommandEntry, 'name' | 'summary'>;

/** The command was called wrongly; the message says how. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command cannot do what was asked; the message says why. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const COMMON: Readonly<Record<string, CommandOption>> = {
  json: { type: 'boolean', help: 'print one JSON document instead of text' },
  help: { type: 'boolean', help: 'print this help' },
};

/** @throws {UsageError} on an unknown option, a missing value, or one that the option does not take */
export function parseInvocation(
  command: Pick<Command, 'options'>,
  args: readonly string[],
  write: (line: string) => void,
): Invocation {
  const options = { ...command.options, ...COMMON };
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      { type: option.type, ...(option.multiple === true ? { multiple: true } : {}) },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : 'bad arguments',
    );
  }
  const values = parsed.values as Readonly<
    Record<string, string | boolean | (string | boolean)[] | undefined>
  >;
  for (const [name, { check }] of Object.entries<CommandOption>(options))
    for (const value of [values[name] ?? []].flat()) check?.(name, String(value));
  const json = values['json'] === true;
  return {
    positionals: parsed.positionals,
    json,
    text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
    },
    flag: (name) => values[name] === true,
    print(document, lines) {
      if (json) write(JSON.stringify(document));
      else for (const line of lines) write(line);
    },
  };
}

/** The help text of one command. */
export function helpOf(command: NamedCommand): string {
  const options = Object.entries({ ...command.options, ...COMMON }).map(([name, option]) => {
    const value = option.type === 'string' ? ` ${option.value ?? '<text>'}` : '';
    return [`  --${name}${value}`, option.help] as const;
  });
  const width = Math.max(...options.map(([left]) => left.length)) + 3;
  return [
    `counterfoil ${command.name} ${command.usage}`.trim(),
    '',
    command.summary,
    ...(command.details === undefined ? [] : ['', ...command.details]),
    '',
    'Options:',
    ...options.map(([left, right]) => left.padEnd(width) + right),
  ].join('\n');
}

/** The help text of a group: its actions. */
export function helpOfGroup(group: CommandGroup): string {
  const width = Math.max(...group.actions.map((action) => action.name.length)) + 3;
  return [
    `counterfoil ${group.name} <action> [options]`,
    '',
    group.summary,
    '',
    'Actions:',
    ...group.actions.map((action) => `  ${action.name.padEnd(width)}${action.summary}`),
    '',
    `'counterfoil ${group.name} <action> --help' explains one.`,
  ].join('\n');
}

/** Rows as a table of aligned columns, for people. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
