import { entityWriters } from '../../../bulk-kinds.ts';
import {
  type Choice,
  countEntries,
  dropEntries,
  type EntryFilter,
  type ListedEntry,
  listEntries,
} from '../../../features/imports/quarantine/queries.ts';
import { retryQuarantined } from '../../../features/imports/quarantine/retry.ts';
import { causes, remedyOf, whatIsWrong } from '../../../features/imports/report/causes.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import {
  checkedId,
  customerOption,
  limitOf,
  limitOption,
  noWords,
  oneOf,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { type Command, type Invocation, table, UsageError } from '../../command.ts';
import { customerNamed } from '../../customer-named.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction, withLinks, withRuntime } from '../../with-runtime.ts';

const reasonOption = {
  reason: { type: 'string', value: '<name>', help: causes.join(', ') },
} as const;

/** @throws {UsageError} */
function filterOf(invocation: Invocation): EntryFilter {
  return {
    resellerId: optionalNumber(invocation, 'reseller'),
    cause: oneOf(invocation, 'reason', causes),
  };
}

const list: Command = {
  usage: '[--reseller <id>] [--reason <name>] [--limit <n>]',
  details: [
    'Reasons:',
    ...causes.map((cause) => `  ${cause.padEnd(12)}${whatIsWrong(cause)}`),
    'With --json also each row as it stands in its file.',
  ],
  options: { ...resellerOption, ...reasonOption, ...limitOption },
  async run(invocation) {
    noWords(invocation);
    const filter = filterOf(invocation);
    const { entries, counts } = await withRuntime(async ({ databases: { web } }) => ({
      entries: await listEntries(web, filter, limitOf(invocation)),
      counts: await countEntries(web, filter),
    }));
    const waiting = counts.reduce((sum, { count }) => sum + count, 0);
    const reasons = counts.map(({ cause, count }) => ({ cause, count, remedy: remedyOf(cause) }));
    invocation.print({ waiting, reasons, entries: entries.map(jsonOf) }, [
      ...(waiting === 0
        ? ['Nothing is in quarantine.']
        : table(['id', 'reseller', 'file', 'line', 'since (UTC)', 'tries', 'why'], entries.map(cells))),
      ...(waiting > entries.length ? [`… and ${waiting - entries.length} more; --limit shows more`] : []),
      ...(waiting === 0 ? [] : ['', 'What to do:']),
      ...reasons.map(({ cause, count, remedy }) => `${count} × ${whatIsWrong(cause)}: ${remedy}`),
    ]);
    return 0;
  },
};

const jsonOf = (one: ListedEntry) => ({
  id: one.id,
  resellerId: one.reseller_id,
  file: one.file,
  mapping: one.format,
  line: one.line,
  cause: one.cause,
  reason: one.reason,
  remedy: remedyOf(one.cause),
  record: one.record,
  firstSeenAt: one.first_seen_at.toISOString(),
  tries: one.tries,
  canBeRetried: one.is_kept,
  triedAt: one.tried_at?.toISOString() ?? null,
});

const cells = (one: ListedEntry): readonly string[] => [
  one.id,
  `${one.reseller_id}`,
  one.file,
  one.line === null ? '' : `${one.line}`,
  one.first_seen_at.toISOString().slice(0, 16).replace('T', ' '),
  `${one.tries}`,
  one.is_kept ? one.reason : `${one.reason} (its file has to be imported again)`,
];

const retry: Command = {
  usage: '[<ids…> | --reseller <id> --reason <name>] [--customer <id or ref>]',
  details: [
    'Without ids all that can be. What was missing and has come is tried by the worker and by each import, by itself.',
    '--customer takes what nothing in a row gives to somebody else, as with import.',
    'Exit codes: 0 all of them went in, 1 some still wait.',
  ],
  options: { ...resellerOption, ...reasonOption, ...customerOption },
  async run(invocation) {
    const ids = idsOf(invocation);
    const filter = filterOf(invocation);
    if (ids.length > 0 && (filter.resellerId ?? filter.cause) !== undefined)
      throw new UsageError('give ids, or --reseller and --reason');
    const choice: Choice = ids.length > 0 ? { only: 'these', ids } : { only: 'all', ...filter };
    const customer = invocation.text('customer');
    const done = await withLinks(async ({ databases: { exports, web }, secrets, config, clock }) => {
      const customerId =
        customer === undefined ? undefined : await customerNamed(web, customer, filter.resellerId);
      const { publicUrl } = config;
      const files = openFileStore(config.filesUrl, config.s3);
      const deps = { db: exports, secrets, publicUrl, files, writers: entityWriters({ secrets, publicUrl }) };
      const retried = await retryQuarantined(deps, { ...choice, customerId, now: clock.now() });
      if (retried.taken > 0)
        await web.transaction((tx) =>
          recordCommand(tx, clock.now(), {
            action: 'quarantine.retried',
            resellerId: filter.resellerId,
            customerId,
            detail: { taken: retried.taken },
          }),
        );
      return retried;
    });
    const { tried, taken, invoices } = done;
    invocation.print({ tried, taken, waiting: tried - taken, invoices }, [
      ...invoices.map(({ number, payLink }) => `${number}  ${payLink ?? ''}`.trimEnd()),
      tried === 0 ? 'There was nothing that can be tried.' : `${taken} of ${tried} went in.`,
    ]);
    return taken === tried ? 0 : 1;
  },
};

const drop: Command = {
  usage: '<ids…>',
  details: ['Dropped entries are gone; the same file imported again brings them back.'],
  options: {},
  async run(invocation) {
    const ids = idsOf(invocation);
    if (ids.length === 0) throw new UsageError('which entries? Give their ids (quarantine list)');
    const dropped = await inTransaction(async (tx, { clock }) => {
      const entries = await dropEntries(tx, ids);
      for (const { reseller_id: resellerId, file, line, reason } of entries)
        await recordCommand(tx, clock.now(), {
          action: 'quarantine.dropped',
          resellerId,
          detail: { file, reason, ...(line === null ? {} : { line }) },
        });
      return entries.map(({ id }) => id);
    });
    const gone = ids.filter((id) => !dropped.includes(id));
    invocation.print({ dropped, notThere: gone }, [
      `Dropped: ${dropped.length}.${gone.length === 0 ? '' : ` Not there: ${gone.join(', ')}.`}`,
    ]);
    return gone.length === 0 ? 0 : 1;
  },
};

/** @throws {UsageError} */
const idsOf = ({ positionals }: Invocation): readonly string[] => [...new Set(positionals.map(checkedId))];

export const actions = { list, retry, drop };
