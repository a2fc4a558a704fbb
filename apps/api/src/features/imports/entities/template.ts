import { csvRow } from '@counterfoil/domain/text/csv.ts';
import type { EntityKind } from './kinds.ts';

/** A file of a kind as it is filled in: the columns, and a row that can be imported as it stands. */
export const templateOf = ({ columns }: Pick<EntityKind, 'columns'>): string =>
  [
    csvRow(columns.map(({ name }) => name)),
    csvRow(columns.map(({ example }) => (example === '' ? null : example))),
  ].join('');

/** What the file of a template is called. */
export const templateName = ({ name }: Pick<EntityKind, 'name'>): string => `${name}.csv`;
