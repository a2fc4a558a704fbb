import type { CommandEntry, CommandGroup } from './command.ts';
import { importCommands } from './command-lists/imports.ts';
import { paymentCommands } from './command-lists/payments.ts';
import { peopleCommands } from './command-lists/people.ts';
import { command, group, of, withDefault } from './entries.ts';

/**
 * Every command of `counterfoil`, in the order of `counterfoil help`. Names and summaries stand here and not with the
 * commands, so that help, and each command, loads no more than it needs: a look-up loads no gateway and no server.
 */
export const commands: readonly (CommandEntry | CommandGroup)[] = [
  command(
    'start',
    'Runs everything in one process: database, migrations, demo world (DEMO=1), sandbox, portal, jobs.',
    async () => (await import('./commands/run-server.ts')).startCommand,
  ),
  command(
    'serve',
    'Answers HTTP: the portal and its API. Any number of these may run.',
    async () => (await import('./commands/run-server.ts')).serveCommand,
  ),
  command(
    'work',
    'Runs jobs: mails, reports, finding out about payments. Any number of these may run.',
    async () => (await import('./commands/run-server.ts')).workCommand,
  ),
  command(
    'migrate',
    'Brings the database up to date. Safe to run twice and by several at once.',
    async () => (await import('./commands/database/migrate.ts')).migrateCommand,
  ),
  command(
    'demo',
    'Shows the demo world: brands, sign-ins, customers, invoices with their pay links; or removes it.',
    async () => (await import('./commands/database/demo.ts')).demoCommand,
  ),
  ...importCommands,
  ...peopleCommands,
  ...paymentCommands,
  group(
    'db',
    'The database.',
    of(() => import('./commands/database/db.ts'), {
      status: 'Shows the database’s version, schema, size and largest tables. Changes nothing.',
    }),
    of(() => import('./commands/database/db-months.ts'), {
      months: 'Lists the months of usage records: state, records, size. Changes nothing.',
      close: 'Closes a month: its records are not added to or changed any more.',
      reopen: 'Opens a closed month again.',
      archive: 'Moves a closed month’s records from the database into files. Totals stay.',
      unarchive: 'Brings an archived month’s records back from the files; it is closed then.',
    }),
    of(() => import('./commands/database/db-distribute.ts'), {
      distribute: 'Spreads the tables over the machines of a Citus cluster, by customer.',
    }),
  ),
  withDefault(
    command(
      'backup',
      'Writes database and files into one file, while everything runs.',
      async () => (await import('./commands/backup/backup.ts')).backupCommand,
    ),
    of(() => import('./commands/backup/backup.ts'), {
      verify: 'Reads a backup from end to end and says whether it is whole.',
      key: 'Makes a pair of keys for encrypted backups.',
    }),
  ),
  command(
    'restore',
    'Restores a backup into an empty installation; payments are off until the gateways were scanned.',
    async () => (await import('./commands/backup/restore.ts')).restoreCommand,
  ),
  group(
    'keys',
    'SECRET_KEY: what signs and seals.',
    of(() => import('./commands/keys.ts'), {
      rotate: 'Seals everything again under a new SECRET_KEY, while everything runs.',
    }),
  ),
  command(
    'doctor',
    'Examines settings, folders, portal, mail, database, key, worker, brands and gateways. Changes nothing but the rights of files in DATA_DIR that others could read.',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
  ),
  command(
    'openapi',
    'Prints the OpenAPI document of every call, the same as /openapi.json. Needs no database.',
    async () => (await import('./commands/openapi.ts')).openapiCommand,
  ),
];
