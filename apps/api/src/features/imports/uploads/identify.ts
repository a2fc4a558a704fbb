import type { EntityMapping, ImportColumns } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../../app-error.ts';
import type { Said } from '../entities/guess.ts';
import { importColumnsOf } from '../entities/plan.ts';
import { detectStatement, nameOfStatement, type StatementFormat } from '../statements/read-statement.ts';
import { detectFormat, documentFormatIn } from '../text/detect.ts';
import { markOf } from '../text/encoding.ts';
import { MappingMismatch, readUsage } from '../usage/rows.ts';

/** The beginning of a file that was kept. */
interface Beginning {
  readonly head: Uint8Array;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

/** What a caller says of a file. */
interface Identified {
  /** A mapping that is named: of usage records, or of rows of anything else. */
  readonly named: UsageMapping | EntityMapping | undefined;
  /** Of bank statements. */
  readonly statement: StatementFormat | undefined;
  /** By its content type. */
  readonly format: 'csv' | 'ndjson' | undefined;
  /** Documents, statements and rows are taken too, and not only usage records. */
  readonly takesDocuments: boolean;
}

/** What an uploaded file is. */
export interface UploadedContent {
  /** As the import is called, and how its rows are written; null: it has none. */
  readonly mapping: { readonly name: string; readonly format: 'csv' | 'ndjson' | null };
  /** Of rows that are no usage. */
  readonly columns: ImportColumns | null;
}

/** What is known of rows that are no usage. */
export type RowsSaid = Pick<Said, 'kind' | 'dates' | 'decimalMark' | 'timeZone'>;

/**
 * Tells what an uploaded file is, by what is said of it and by its beginning.
 * @throws {AppError} usageImport.unfit with the reason
 */
export async function identify(
  kept: Beginning,
  said: RowsSaid,
  { named, statement, format, takesDocuments }: Identified,
): Promise<UploadedContent> {
  if (!takesDocuments) return { mapping: await mappingOf(usageOnly(named), kept, format), columns: null };
  const columns = await columnsOf(kept, said, named);
  if (columns !== null) {
    const { entity, format: written } = columns.mapping;
    return { mapping: { name: entity, format: written }, columns };
  }
  const document = named === undefined ? documentOf(kept.head, statement) : undefined;
  return { mapping: document ?? (await mappingOf(usageOnly(named), kept, format)), columns: null };
}

/** What a file is that holds no usage records: a bank statement, or a document. */
function documentOf(
  head: Uint8Array,
  wanted: StatementFormat | undefined,
): { readonly name: string; readonly format: null } | undefined {
  const statement = wanted ?? detectStatement(new TextDecoder(markOf(head) ?? 'utf-8').decode(head));
  const name = statement === undefined ? documentFormatIn(head) : nameOfStatement(statement);
  return name === undefined ? undefined : { name, format: null };
}

/** @throws {AppError} usageImport.unfit where the mapping is of no usage records */
function usageOnly(named: UsageMapping | EntityMapping | undefined): UsageMapping | undefined {
  if (named === undefined || !('entity' in named)) return named;
  throw new AppError('usageImport.unfit', { text: 'The mapping is of no usage records' });
}

/**
 * How the columns of a file of rows are read; null where it is a document, or usage records.
 * @throws {AppError} usageImport.unfit for a file of a kind that is named, and has no columns
 */
async function columnsOf(
  { head, size }: Beginning,
  said: RowsSaid,
  named: UsageMapping | EntityMapping | undefined,
): Promise<ImportColumns | null> {
  const isWhole = size <= head.length;
  if (named !== undefined && 'entity' in named) return importColumnsOf(head, isWhole, named);
  if (named !== undefined) return null;
  if (said.kind === undefined && (await detectFormat(head, isWhole)).format !== 'unknown') return null;
  const columns = await importColumnsOf(head, isWhole, said);
  if (columns === null && said.kind !== undefined)
    throw new AppError('usageImport.unfit', { text: 'The first line of the file does not name its columns' });
  return columns;
}

/** The mapping of the file, tried on its beginning. @throws {AppError} usageImport.unfit with the reason */
async function mappingOf(
  named: UsageMapping | undefined,
  { head, size }: Beginning,
  format: Identified['format'],
): Promise<UsageMapping> {
  if (size === 0) throw new AppError('usageImport.unfit', { text: 'The file is empty' });
  const mapping =
    named === undefined ? await detected(head, size) : { ...named, format: format ?? named.format };
  try {
    for await (const batch of readUsage(oneOf(head), mapping)) if (batch.records.length > 0) break;
  } catch (error) {
    if (error instanceof MappingMismatch)
      throw new AppError('usageImport.unfit', { text: capitalised(error.message) });
    throw error;
  }
  return mapping;
}

async function detected(head: Uint8Array, size: number): Promise<UsageMapping> {
  const found = await detectFormat(head, size <= head.length);
  if (found.format === 'usage') return found.mapping;
  const other = found.format === 'statement' ? 'bank statements' : 'invoices';
  const reason = found.format === 'unknown' ? found.reason : `this call takes usage records, not ${other}`;
  throw new AppError('usageImport.unfit', {
    text: capitalised(reason.replace('(--mapping)', '(mapping), or what its rows are (kind)')),
  });
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
