import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { BulkResult } from '@counterfoil/contract/operator/parts.ts';
import { AppError } from '../../app-error.ts';
import { linesOfNdjson, putInBulk, resultOf } from '../../bulk/bulk.ts';
import { linesOfCsv } from '../../bulk/csv-lines.ts';
import { bulkKinds } from '../../bulk-kinds.ts';
import { requireReseller } from '../../features/admin/service.ts';
import { needed, neededNumber, resellerOption } from '../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, UsageError } from '../command.ts';
import { commandActor } from '../record-command.ts';
import { withRuntime } from '../with-runtime.ts';

const names = Object.keys(bulkKinds).join(', ');

export const putCommand: Command = {
  usage: '<what> --reseller <id> --file <path> [--dry-run]',
  details: [
    `What: ${names}.`,
    'A line of the file is one of the operator API’s call of that name; or it is a row of CSV, and the first row names the members:',
    'address.city, lines.0.amount. Several values of one cell stand apart by |. A line of the output says what became of each:',
    'created, changed, unchanged, removed, or refused and why. The same file again changes nothing; one bad line harms no other.',
    'The exit code is 1 where a line was refused.',
  ],
  options: {
    ...resellerOption,
    file: { type: 'string', value: '<path>', help: 'NDJSON; CSV where its name ends in .csv' },
    'dry-run': { type: 'boolean', help: 'says what would become of each line, and keeps nothing' },
  },
  async run(invocation) {
    const kindOf = kindNamed(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const file = needed(invocation, 'file');
    if (!(await isFile(file))) throw new CommandError(`${file} is no file that can be read`);
    const counts: Partial<Record<BulkResult['status'], number>> = {};
    const refused: BulkResult[] = [];
    await withRuntime(async (runtime) => {
      const { clock, databases, secrets, config } = runtime;
      await databases.web.transaction((tx) => requireReseller(tx, resellerId));
      const kind = kindOf({ secrets, publicUrl: config.publicUrl });
      const bytes = createReadStream(file);
      await orSaid(
        putInBulk(
          { db: databases.exports, clock, isTrial: invocation.flag('dry-run') },
          kind,
          { resellerId, by: { actor: commandActor() } },
          file.toLowerCase().endsWith('.csv') ? linesOfCsv(bytes, kind.schemaOf) : linesOfNdjson(bytes),
          async (outcomes) => {
            const results = outcomes.map(resultOf);
            for (const result of results) {
              counts[result.status] = (counts[result.status] ?? 0) + 1;
              if (result.status === 'refused' && invocation.json) refused.push(result);
            }
            if (!invocation.json)
              invocation.print(
                {},
                results.map((result) => JSON.stringify(result)),
              );
          },
        ),
      );
    });
    invocation.print({ ...counts, lines: refused }, []);
    return counts.refused === undefined ? 0 : 1;
  },
};

/** @throws {UsageError} */
function kindNamed({
  positionals: [name = '', further],
}: Invocation): NonNullable<(typeof bulkKinds)[string]> {
  const kind = Object.hasOwn(bulkKinds, name) ? bulkKinds[name] : undefined;
  if (kind === undefined || further !== undefined)
    throw new UsageError(`say what the file has: one of ${names}`);
  return kind;
}

/** @throws {CommandError} where the file is refused as a whole */
async function orSaid(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof AppError ? new CommandError(error.text) : error;
  }
}

const isFile = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};
