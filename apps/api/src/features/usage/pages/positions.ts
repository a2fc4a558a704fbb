import type { Db } from '../../../db/database.ts';
import type { Sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { KeptSamples } from './kept-samples.ts';
import type { PagingOptions } from './options.ts';
import type { Part, ReadyPart, RecordRow } from './part.ts';
import type { Window } from './running-sums.ts';
import type { PagesState } from './state.ts';

/** Knows where each record of one filter stands in one ascending order. */
export interface Positions {
  readonly total: number;
  /** How much memory it takes by now, roughly; it grows with what is looked up. */
  readonly bytes: number;
  /** Where to read the records of a window that lies within the total; `changed`: these positions hold no more. */
  partsOf(db: Db, window: Window): Promise<(Part | ReadyPart)[] | 'changed'>;
  /** What stands in a window, in ascending order: the windows before and after it are then quickly found. */
  learn?(window: Window, rows: readonly RecordRow[]): void;
}

/** What positions are made of. */
export interface PositionsInput {
  readonly scope: CustomerScope;
  readonly state: PagesState;
  /** On `usage_record u`: the filter. */
  readonly where: Sql<boolean>;
  readonly options: PagingOptions;
  readonly samples: KeptSamples;
}
