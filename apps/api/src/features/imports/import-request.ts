import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { Secrets } from '../../secrets.ts';
import type { Said } from './entities/guess.ts';
import type { DryRun } from './entities/import-rows.ts';
import type { EntityWriters } from './entities/take-entities.ts';
import type { StatementMapping } from './statements/statement-mapping.ts';
import type { Unpacking } from './text/gzip.ts';
import type { Progress } from './usage/take-usage.ts';
import type { Target } from './whose.ts';

export interface ImportDeps {
  /** Needs two connections at once. */
  readonly db: Database;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  /** Where the PDFs of invoices are kept. */
  readonly files: FileStore;
  /** Take files of rows that are no usage; without them such files are none that can be read. */
  readonly writers?: EntityWriters | undefined;
}

export interface ImportRequest {
  readonly files: readonly string[];
  /** What files are called in reports, where not by their paths. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  readonly resellerId?: number | undefined;
  /** Takes what nothing in the files gives to somebody else: a customer's id, or the provider's reference of it. */
  readonly customer?: string | undefined;
  /** IANA zone of call records; undefined: that of each customer's brand. */
  readonly timeZone?: string | undefined;
  /** How rows are read: a ready mapping of usage records, a stored one of these or of anything else, or a JSON file. */
  readonly mapping?: string | undefined;
  /** What is known of files of customers, invoices and all else that is no usage. */
  readonly said?: Said | undefined;
  /** Says what would become of such files, and takes nothing of them in. */
  readonly dryRun?: DryRun | undefined;
  /** Who brings such files, for the audit trail. */
  readonly by?: ActedBy | undefined;
  /** Columns or members that the mapping names stand in this kind of file. */
  readonly format?: 'csv' | 'ndjson' | undefined;
  /** Usage records of one transaction, where not as many as usual. */
  readonly sliceRows?: number | undefined;
  /** Files of invoices of one transaction, where not as many as usual. */
  readonly setFiles?: number | undefined;
  /** Called often while usage records are taken in. */
  readonly onProgress?: ((file: string, progress: Progress) => Promise<void> | void) | undefined;
  /** Reseller and customer default to those of the demo world. */
  readonly isDemo: boolean;
  readonly now: Date;
}

/** The request cannot be carried out at all; nothing was changed. `message` is for the person who made it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

/** One import of some files. */
export interface ImportedFiles {
  readonly deps: ImportDeps;
  readonly request: ImportRequest;
  readonly target: Target;
  readonly mapping: UsageMapping | EntityMapping | undefined;
  /** The files are bank statements that are read so. */
  readonly statement: StatementMapping | undefined;
  /** What files are called, by their paths. */
  readonly names: Map<string, string>;
  readonly unpacking: Unpacking;
}

/** What a file is called in reports. */
export const nameOf = ({ names }: ImportedFiles, path: string): string => names.get(path) ?? path;
