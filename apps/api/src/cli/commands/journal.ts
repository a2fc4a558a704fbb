import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { storedResellerSettings } from '@counterfoil/contract/brand.ts';
import { journalFormats, journalParams } from '@counterfoil/contract/operator/billing/journal.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import * as z from 'zod/mini';
import { AdminRefused } from '../../features/admin/service.ts';
import { findResellerZone } from '../../features/brand/queries.ts';
import { journalCsv } from '../../features/journal/csv.ts';
import { findResellerSettings } from '../../features/journal/queries.ts';
import { needed, neededNumber, noWords, resellerOption } from '../arguments/arguments.ts';
import { type Command, UsageError } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

/** `counterfoil journal`: the ledger of some days for an accounting system. */
export const journalCommand: Command = {
  usage:
    '--reseller <id> --from <day> --to <day> --out <file> [--format generic|xero|quickbooks|costCentres]',
  details: [
    'Days are those of the reseller’s first brand; docs/operations.md says how its accounts get their codes.',
  ],
  options: {
    ...resellerOption,
    from: { type: 'string', value: '<day>', help: 'the first day, such as 2026-03-01' },
    to: { type: 'string', value: '<day>', help: 'the last day' },
    format: { type: 'string', value: '<name>', help: `${journalFormats.join(', ')}; generic unless said` },
    out: { type: 'string', value: '<file>', help: 'where the CSV is written' },
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const out = needed(invocation, 'out');
    const asked = z.safeParse(journalParams, {
      from: invocation.text('from'),
      to: invocation.text('to'),
      format: invocation.text('format'),
    });
    if (!asked.success) {
      const [issue] = asked.error.issues;
      throw new UsageError(`--${String(issue?.path[0])} ${issue?.message}`);
    }
    const { from, to, format } = asked.data;
    await withRuntime(async ({ databases }) => {
      const db = databases.exports;
      const of = {
        resellerId,
        timeZone: await findResellerZone(db, resellerId),
        from: parseDay(from),
        to: parseDay(to),
      };
      const stored = await findResellerSettings(db, resellerId);
      if (stored === undefined) throw new AdminRefused(`there is no reseller ${resellerId}`);
      const settings = storedResellerSettings.parse(stored);
      await pipeline(journalCsv(db, of, { format, settings }), createWriteStream(out));
    });
    invocation.print({ file: out }, [`Written to ${out}.`]);
    return 0;
  },
};
