import { AppError } from '../../app-error.ts';
import { readSettings } from '../../config.ts';
import { SchemaMismatch } from '../../db/migrate.ts';
import { AdminRefused } from '../../features/admin/refused.ts';
import { BadConfig } from '../../settings/setting-reader.ts';
import { CommandError, type NamedCommand, type Output, UsageError } from '../command.ts';
import { type Places, sentenceFor } from './world-faults.ts';

/** Says in words why a command did not end well. @returns its exit code: 1 refused or failed, 2 called wrongly */
export function explain(command: NamedCommand, error: unknown, output: Output): number {
  if (error instanceof UsageError) {
    output.err(`counterfoil ${command.name}: ${error.message}; see 'counterfoil ${command.name} --help'`);
    return 2;
  }
  const isExpected = [CommandError, BadConfig, SchemaMismatch, AdminRefused].some(
    (kind) => error instanceof kind,
  );
  // What the same is refused with over HTTP, in the words a person reads there.
  if (error instanceof AppError) {
    output.err(`counterfoil ${command.name}: ${error.text}`);
    return 1;
  }
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
