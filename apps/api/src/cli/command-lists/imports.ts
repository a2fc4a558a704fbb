import type { CommandEntry, CommandGroup } from '../command.ts';
import { command, group, of, withDefault } from '../entries.ts';

/** Taking in files: what they hold, what is set aside, what their words mean. */
export const importCommands: readonly (CommandEntry | CommandGroup)[] = [
  withDefault(
    command(
      'import',
      'Takes in e-invoices (UBL 2.1), bank statements (camt.053, CSV) and usage records (CSV, NDJSON). The same file twice changes nothing.',
      async () => (await import('../commands/imports/import.ts')).importCommand,
    ),
    of(() => import('../commands/imports/import-runs.ts'), {
      list: 'Lists imports, the newest first.',
      show: 'Shows how far an import is, what it came to and whether it can be undone.',
      stop: 'Stops an import that waits or runs; what is in by then stays.',
      retry: 'Tries to take in what an import has set aside.',
      undo: 'Takes out again what an import made.',
    }),
  ),
  group(
    'statement',
    'Entries of bank statements: what was booked by itself, and what a person decides.',
    of(() => import('../commands/imports/statement.ts'), {
      list: 'Lists entries with what may be meant by them, those taken in last first.',
      book: 'Books an entry to invoices of a customer; a debit takes a payment back.',
      dismiss: 'Says that an entry is none of the customers’ payments.',
      reopen: 'Takes the booking of a credit back, or its dismissal.',
    }),
  ),
  command(
    'put',
    'Makes or changes what a file names, a line each: customers, users, invoices, master data. The same file twice changes nothing.',
    async () => (await import('../commands/put.ts')).putCommand,
  ),
  group(
    'quarantine',
    'What imports could not take in: it waits here for what is missing.',
    of(() => import('../commands/imports/quarantine.ts'), {
      list: 'Lists what waits, why, and what to do about it; newest first.',
      retry: 'Tries to take in what waits.',
      drop: 'Takes entries away for good.',
    }),
  ),
  group(
    'mapping',
    'Mappings: how rows of usage files become records.',
    of(() => import('../commands/imports/mapping.ts'), {
      list: 'Lists the ready mappings and the reseller’s own.',
      show: 'Prints a mapping as JSON, ready or stored: a start for one’s own.',
      add: 'Stores a mapping of the reseller’s own, in the place of one of the same name.',
      remove: 'Forgets a stored mapping. What was imported with it stays.',
    }),
  ),
  group(
    'record-type',
    'Record types: what their units are.',
    of(() => import('../commands/imports/record-type.ts'), {
      list: 'Lists the reseller’s record types with their units.',
      set: 'Says what the units of a record type are.',
    }),
  ),
];
