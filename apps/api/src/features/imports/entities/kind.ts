import type { ColumnForm, EntityName } from '@counterfoil/contract/operator/imports/entity-import.ts';

/** One column. What it means, whether a row needs it and what it may be is said by the schema of the bulk call. */
export interface EntityColumn {
  /** The member it becomes: `address.city`; `lines.amount` is that of the line that the row is. */
  readonly name: string;
  readonly form: ColumnForm;
  /** In the template; empty: the template leaves it empty. */
  readonly example: string;
  /** What other systems call it, in English and German; compared without case, blanks and signs. */
  readonly alsoCalled: readonly string[];
  /** Of a helper that is no member of the call: what it means. */
  readonly meaning?: string;
  /** It is made up from the others where it is not there. */
  readonly isDerived?: true;
}

/** A kind of thing that files bring. */
export interface EntityKind {
  readonly name: EntityName;
  readonly title: string;
  /** The bulk call that takes it. */
  readonly bulk: string;
  /** Members that all of the kind have. */
  readonly fixed: Readonly<Record<string, string>>;
  /** Each row is one of this list's members, and rows of one key belong together. */
  readonly rows?: 'lines' | 'products';
  /** The column that names one for ever. */
  readonly key: string;
  readonly columns: readonly EntityColumn[];
}

/** @param alsoCalled with commas between */
export const column = (
  name: string,
  form: ColumnForm,
  example: string,
  alsoCalled: string = '',
  more: Pick<EntityColumn, 'meaning' | 'isDerived'> = {},
): EntityColumn => ({
  name,
  form,
  example,
  alsoCalled: alsoCalled === '' ? [] : alsoCalled.split(', '),
  ...more,
});

/** A kind whose call has its own name, and whose things are known by `reference`, where nothing else is said. */
export const kind = (
  name: EntityName,
  title: string,
  columns: readonly EntityColumn[],
  more: Partial<Pick<EntityKind, 'bulk' | 'fixed' | 'rows' | 'key'>> = {},
): EntityKind => ({ name, title, bulk: name, fixed: {}, key: 'reference', columns, ...more });
