import { readFile } from 'node:fs/promises';
import { CommandError } from '../../command.ts';

/** `name=@path` with what the file holds: a key in a file does not show in the list of processes. @throws {CommandError} */
export async function settingFromFile(assignment: string): Promise<string> {
  const at = assignment.indexOf('=@');
  if (at < 1) return assignment;
  const path = assignment.slice(at + 2);
  try {
    return `${assignment.slice(0, at)}=${(await readFile(path, 'utf8')).trim()}`;
  } catch {
    throw new CommandError(`the file ${path} cannot be read`);
  }
}
