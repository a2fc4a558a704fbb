import { readSettings } from '../../../config.ts';
import { noWords } from '../../arguments/arguments.ts';
import { type Command, table } from '../../command.ts';
import { databaseStatus } from '../../doctor/database-status.ts';
import { openQuietly } from '../../with-runtime.ts';

const status: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    noWords(invocation);
    const runtime = await openQuietly(readSettings());
    try {
      const found = await databaseStatus(runtime.databases.web);
      invocation.print(found, [
        `PostgreSQL ${found.version}, ${runtime.config.databaseUrl === undefined ? 'embedded' : 'external'}`,
        `schema ${found.schema} of ${found.newestSchema}${found.isCurrent ? '' : " ('counterfoil migrate' brings it up to date)"}`,
        `size ${found.size}`,
        '',
        ...table(
          ['table', 'rows (about)', 'size'],
          found.tables.map((one) => [one.name, `${one.rows}`, one.size]),
        ),
      ]);
      return found.isCurrent ? 0 : 1;
    } finally {
      await runtime.close();
    }
  },
};

export const actions = { status };
