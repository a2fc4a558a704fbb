import { type Sql, sql } from './sql.ts';

/**
 * A column in capitals, letters and digits only: the same number however it is written. As the indexes `…_by_plain_number` and
 * `…_by_plain_value` have it, and as {@link plainText} makes it of a text.
 */
export const plainColumn = (column: string): Sql =>
  sql`upper(regexp_replace(${sql.ref(column)}, '[^A-Za-z0-9]', '', 'g') collate "C")`;

/** See {@link plainColumn}. */
export const plainText = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
