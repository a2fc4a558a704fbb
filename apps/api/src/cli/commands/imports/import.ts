import { resolve } from 'node:path';
import { dateOrders, entityNames } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { isTimeZone } from '@counterfoil/domain/time/dates.ts';
import { AppError } from '../../../app-error.ts';
import { entityWriters } from '../../../bulk-kinds.ts';
import { isDemo } from '../../../demo/marks.ts';
import { readyMappings } from '../../../features/imports/mappings/ready.ts';
import type { ImportReport } from '../../../features/imports/report/report.ts';
import { reportLines } from '../../../features/imports/report/report-text.ts';
import { ImportRefused, type ImportRequest, importFiles } from '../../../features/imports/service.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import type { Runtime } from '../../../runtime.ts';
import { customerOption, optionalNumber, resellerOption } from '../../arguments/arguments.ts';
import { prepareDatabase } from '../../begin.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor } from '../../record-command.ts';
import { openQuietly, readLinkSettings } from '../../with-runtime.ts';
import { DryRunNotes, dryRunLines, printTemplate, saidIn, showColumns } from './entity-files.ts';

const ready = readyMappings.map(({ mapping }) => mapping.name).join(', ');
/** Nothing went in and something was quarantined; with `--strict` when something was. */
const QUARANTINED = 3;

export const importCommand: Command = {
  usage: '<files…>, or --watch <folder>, or list, show, stop, retry, undo',
  details: [
    "'import list', 'show', 'stop', 'retry' and 'undo' are about imports that were made; each has a --help of its own. A file of",
    'such a name is called ./list.',
    '',
    'What a file is, its content tells. An invoice goes to the customer known by the buyer’s electronic address, else',
    'legal id, else name; a call record to the one known by account code or line number. What nobody is known for, and',
    'what cannot be read, is quarantined with file, line, reason and what to do about it; everything else goes in. What',
    'waits there goes in by itself when what was missing has come (counterfoil quarantine).',
    `Usage records are recognised where they come from ${ready}; else --mapping says`,
    'how they are to be read: one of these names, one of the reseller’s own (mapping add), or a JSON file. Large files',
    'go in slice by slice; what breaks off on the way is taken up by importing the same file again.',
    'Entries of a bank statement (camt.053 of ISO 20022, or CSV) are booked where they name open invoices of one customer and are',
    'just what is due of them; a person decides the others (counterfoil statement).',
    'Customers, invoices and all else that is no usage come in as CSV or NDJSON, a row for each: --template prints a file to fill',
    'in, and columns with other names are guessed. What a row says is all that is kept of a thing; the same again changes nothing.',
    'With --watch each file that is put into the folder is imported once it has not changed for five seconds, and moved to done or',
    'failed within it, with its report beside it. Give a file that takes long to write a name that ends in .part until it is whole.',
    '--reseller is not needed where there is only one; --customer takes what nothing in a file gives to somebody else.',
    'Under DEMO=1 such things belong to the demo world’s first customer.',
    '',
    'Exit codes: 0 done, also where some were quarantined beside others that went in; 1 a file could not be read, or the',
    'import failed or was stopped; 2 called wrongly; 3 nothing went in and something was quarantined, with --strict also where only',
    'some were.',
  ],
  options: {
    ...resellerOption,
    ...customerOption,
    'time-zone': {
      type: 'string',
      value: '<zone>',
      help: 'of the exchange’s clock; the brand’s where not given',
    },
    mapping: { type: 'string', value: '<name or file>', help: 'the files are usage records of this kind' },
    kind: { type: 'string', value: '<kind>', help: `the files hold: ${entityNames.join(', ')}` },
    dates: { type: 'string', value: '<order>', help: `how days are written: ${dateOrders.join(', ')}` },
    'decimal-mark': { type: 'string', value: '<mark>', help: "what stands before decimals: '.' or ','" },
    'dry-run': {
      type: 'boolean',
      help: 'of files of a kind: says what would become of them, takes nothing in',
    },
    'show-columns': { type: 'boolean', help: 'prints how the columns of a file of a kind would be read' },
    template: { type: 'string', value: '<kind>', help: "prints a file to fill in; 'list' names the kinds" },
    format: { type: 'string', value: '<csv or ndjson>', help: 'another kind of file than the mapping says' },
    watch: { type: 'string', value: '<folder>', help: 'imports what is put there, until it is stopped' },
    once: { type: 'boolean', help: 'with --watch: what lies there now, and ends' },
    strict: { type: 'boolean', help: 'exit with 3 also when only some were quarantined' },
  },
  async run(invocation) {
    const template = invocation.text('template');
    if (template !== undefined) return printTemplate(invocation, template);
    if (invocation.flag('show-columns')) return showColumns(invocation, saidIn(invocation));
    const folder = invocation.text('watch');
    if (folder === undefined && invocation.flag('once')) throw new UsageError('--once needs --watch');
    if (folder !== undefined) {
      if (invocation.flag('dry-run')) throw new UsageError('--watch takes files in: it knows no --dry-run');
      const { watchCommand } = await import('./import-watch.ts');
      return watchCommand(invocation, resolve(folder), requestOf(invocation, true));
    }
    const request = requestOf(invocation, false);
    const config = await readLinkSettings();
    const runtime = await openQuietly(config);
    try {
      await prepareDatabase(runtime);
      const onProgress = invocation.json
        ? undefined
        : progressLines((line) => process.stderr.write(`${line}\n`));
      const now = runtime.clock.now();
      const report = await importInto(runtime, {
        ...request,
        isDemo: await isDemo(runtime.databases.web, config),
        now,
        onProgress,
      });
      if (request.dryRun !== undefined && !invocation.json) invocation.print({}, dryRunLines(request.dryRun));
      invocation.print(
        request.dryRun === undefined ? report : { ...report, dryRun: request.dryRun.files },
        reportLines(report, table),
      );
      return exitCodeOf(report, invocation.flag('strict'));
    } finally {
      await runtime.close();
    }
  },
};

const sayEveryMs = 1_000;

/** Says about every second how far a long import is. @param clock in ms */
export function progressLines(
  write: (line: string) => void,
  clock: () => number = () => performance.now(),
): NonNullable<ImportRequest['onProgress']> {
  const began = clock();
  let said = began;
  return (file, { step, rows, of }) => {
    const now = clock();
    if (now - said < sayEveryMs) return;
    said = now;
    const rate = Math.round(rows / ((now - began) / 1000));
    const part = of === undefined ? `${rows} rows, ${rate} rows/s` : `${rows} of ${of} rows, ${rate} rows/s`;
    write(`${file}: ${step} ${part}`);
  };
}

/** @param isWatched files are those of a folder */
function requestOf(
  invocation: Invocation,
  isWatched: boolean,
): Omit<ImportRequest, 'isDemo' | 'now' | 'dryRun'> & { readonly dryRun: DryRunNotes | undefined } {
  const hasFiles = invocation.positionals.length > 0;
  if (hasFiles === isWatched)
    throw new UsageError(isWatched ? 'give files, or --watch with a folder, not both' : 'which files?');
  const customer = invocation.text('customer');
  const timeZone = invocation.text('time-zone');
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new UsageError(`--time-zone takes a name such as 'Europe/Berlin', not '${timeZone}'`);
  }
  const resellerId = optionalNumber(invocation, 'reseller');
  const [mapping, format] = [invocation.text('mapping'), invocation.text('format')];
  if (format !== undefined && format !== 'csv' && format !== 'ndjson')
    throw new UsageError(`--format takes csv or ndjson, not '${format}'`);
  if (format !== undefined && mapping === undefined) throw new UsageError('--format needs --mapping');
  const said = saidIn(invocation);
  if (said.kind !== undefined && mapping !== undefined)
    throw new UsageError('--mapping says what the file holds, without --kind');
  const dryRun = invocation.flag('dry-run') ? new DryRunNotes() : undefined;
  const by = { actor: commandActor() };
  return { files: invocation.positionals, resellerId, customer, timeZone, mapping, format, said, dryRun, by };
}

async function importInto(runtime: Runtime, request: ImportRequest): Promise<ImportReport> {
  const { config, databases, secrets } = runtime;
  const { publicUrl } = config;
  try {
    // Merging millions of records takes longer than a page or a job may.
    const files = openFileStore(config.filesUrl, config.s3);
    return await importFiles(
      { db: databases.exports, secrets, publicUrl, files, writers: entityWriters({ secrets, publicUrl }) },
      request,
    );
  } catch (error) {
    if (error instanceof ImportRefused) throw new CommandError(error.message);
    // Another file of the kind is being taken in.
    if (error instanceof AppError) throw new CommandError(error.text);
    throw error;
  }
}

function exitCodeOf(report: ImportReport, isStrict: boolean): number {
  if (report.stopped !== null || report.files.some((file) => file.format === null)) return 1;
  const { in: isIn, quarantined } = report.summary;
  return quarantined > 0 && (isStrict || isIn === 0) ? QUARANTINED : 0;
}
