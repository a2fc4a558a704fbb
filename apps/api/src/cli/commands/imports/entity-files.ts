import { open } from 'node:fs/promises';
import type { ImportPreview } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import {
  dateOrders,
  decimalMarks,
  entityNames,
  isEntityName,
} from '@counterfoil/contract/operator/imports/entity-import.ts';
import { isTimeZone } from '@counterfoil/domain/time/dates.ts';
import type { BulkOutcome } from '../../../bulk/bulk.ts';
import {
  changesOf,
  type DryRun,
  describedKind,
  describedKinds,
  planOf,
  type Said,
  templateOf,
} from '../../../features/imports/service.ts';
import { oneOf } from '../../arguments/arguments.ts';
import { CommandError, type Invocation, table, UsageError } from '../../command.ts';

/** What the options say of files of rows. @throws {UsageError} */
export function saidIn(invocation: Invocation): Said {
  const mark = invocation.text('decimal-mark');
  const decimalMark = decimalMarks.find((one) => one === mark);
  if (mark !== undefined && decimalMark === undefined) throw new UsageError("--decimal-mark is '.' or ','");
  const timeZone = invocation.text('time-zone');
  return {
    kind: oneOf(invocation, 'kind', entityNames),
    dates: oneOf(invocation, 'dates', dateOrders),
    decimalMark,
    timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined,
  };
}

/** Prints the file of a kind to fill in. @throws {UsageError} */
export function printTemplate(invocation: Invocation, name: string): number {
  if (name === 'list') {
    const rows = describedKinds().map((kind) => [
      kind.name,
      kind.title,
      kind.columns.flatMap((column) => (column.isRequired ? [column.name] : [])).join(', '),
    ]);
    invocation.print(
      { kinds: rows.map(([kind, title]) => ({ name: kind, title })) },
      table(['name', 'what', 'needs'], rows),
    );
    return 0;
  }
  if (!isEntityName(name))
    throw new UsageError(`--template is one of ${entityNames.join(', ')}; 'list' explains them`);
  const kind = describedKind(name);
  invocation.print({ template: templateOf(kind) }, templateOf(kind).trimEnd().split('\r\n'));
  return 0;
}

const HEAD_BYTES = 65_536;

/** Prints how a file's columns would be read, as a mapping that can be changed and given back. @throws {UsageError, CommandError} */
export async function showColumns(invocation: Invocation, said: Said): Promise<number> {
  const [path, ...more] = invocation.positionals;
  if (path === undefined || more.length > 0) throw new UsageError('which file? One');
  const { head, isWhole } = await beginningOf(path);
  const plan = await planOf(head, isWhole, said);
  if (plan === undefined) throw new CommandError('what the file holds cannot be guessed; say it with --kind');
  const { mapping, questions, unused } = plan;
  // Beside the mapping, which goes into a file.
  for (const { text } of questions) process.stderr.write(`open: ${text}\n`);
  for (const name of unused) process.stderr.write(`nothing takes the column '${name}'\n`);
  invocation.print({ mapping, questions, unused }, [JSON.stringify(mapping, null, 2)]);
  return 0;
}

/** @throws {CommandError} */
async function beginningOf(path: string): Promise<{ readonly head: Uint8Array; readonly isWhole: boolean }> {
  const file = await open(path).catch(() => {
    throw new CommandError(`${path} is no file that can be read`);
  });
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    const { size } = await file.stat();
    return { head: head.subarray(0, bytesRead), isWhole: size <= bytesRead };
  } finally {
    await file.close();
  }
}

interface NotedRow {
  readonly line: number;
  readonly reference: string | null;
  readonly becomes: string;
  readonly changes: readonly { readonly member: string; readonly was: string; readonly is: string }[];
  readonly reason: string;
}

interface NotedFile {
  readonly file: string;
  readonly kind: string;
  readonly rows: readonly NotedRow[];
  /** Further ones that are not named. */
  readonly more: number;
  readonly preview: ImportPreview;
}

const MOST_ROWS = 1_000;
const MOST_SHOWN = 50;

/** Notes what a dry run would do, row by row, as far as a person can read it. */
export class DryRunNotes implements DryRun {
  readonly files: NotedFile[] = [];
  #rows: NotedRow[] = [];
  #more = 0;

  readonly onRows = (_file: string, outcomes: readonly BulkOutcome[]): void => {
    for (const outcome of outcomes) {
      const { line, reference, status, message = '', errors = [] } = outcome;
      if (status === 'unchanged') continue;
      if (this.#rows.length >= MOST_ROWS) this.#more += 1;
      else
        this.#rows.push({
          line,
          reference,
          becomes: status,
          changes:
            status === 'changed'
              ? changesOf(outcome).map(({ member, was, is }) => ({ member, was, is }))
              : [],
          reason:
            status === 'refused'
              ? [message, ...errors.slice(0, 3).map(({ path, message: why }) => `${path}: ${why}`)].join('; ')
              : '',
        });
    }
  };

  readonly onEnd = (file: string, kind: string, preview: ImportPreview): void => {
    this.files.push({ file, kind, rows: this.#rows, more: this.#more, preview });
    this.#rows = [];
    this.#more = 0;
  };
}

/** The same for people. */
export const dryRunLines = ({ files }: DryRunNotes): readonly string[] =>
  files.flatMap(({ file, kind, rows, more }) => [
    `${file} (${kind}), nothing was taken in:`,
    ...rows.slice(0, MOST_SHOWN).map(({ line, reference, becomes, changes, reason }) => {
      const what = changes.map(({ member, was, is }) => `${member}: '${was}' → '${is}'`).join(', ');
      return `  line ${line}: ${reference ?? '?'} ${becomes}${what === '' ? '' : `, ${what}`}${reason === '' ? '' : `: ${reason}`}`;
    }),
    ...(rows.length + more > MOST_SHOWN
      ? [`  … and ${rows.length + more - MOST_SHOWN} more; --json lists ${MOST_ROWS}`]
      : []),
    '',
  ]);
