import type { Command, CommandEntry, CommandGroup } from './command.ts';

/** A command, whose module is loaded when it is called. */
export const command = (name: string, summary: string, load: () => Promise<Command>): CommandEntry => ({
  name,
  summary,
  load,
});

/** The actions of a module, with their summaries: a missing or unknown name is a fault of types. */
export function of<Actions extends Readonly<Record<string, Command>>>(
  load: () => Promise<{ readonly actions: Actions }>,
  summaries: { readonly [Name in keyof Actions]: string },
): readonly CommandEntry[] {
  return Object.entries<string>(summaries).map(([name, summary]) =>
    command(name, summary, async () => (await load()).actions[name] as Command),
  );
}

export const group = (
  name: string,
  summary: string,
  ...actions: readonly (readonly CommandEntry[])[]
): CommandGroup => ({ name, summary, actions: actions.flat() });

/** A command that has actions too; where none of them is named, it is the command itself. */
export const withDefault = (otherwise: CommandEntry, actions: readonly CommandEntry[]): CommandGroup => ({
  ...group(otherwise.name, otherwise.summary, actions),
  otherwise,
});
