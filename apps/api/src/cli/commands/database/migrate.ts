import { readSettings } from '../../../config.ts';
import { prepareDatabase } from '../../begin.ts';
import type { Command } from '../../command.ts';
import { openQuietly } from '../../with-runtime.ts';

export const migrateCommand: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    const runtime = await openQuietly(readSettings());
    try {
      const ran = await prepareDatabase(runtime);
      invocation.print(
        { ran },
        ran.length === 0 ? ['The database is up to date.'] : ran.map((name) => `ran ${name}`),
      );
      return 0;
    } finally {
      await runtime.close();
    }
  },
};
