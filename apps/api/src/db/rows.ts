/** The row, where there may be none. @throws {Error} when there are several */
export function atMostOne<Row>(rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}`);
  return rows[0];
}

/** The only row. @throws {Error} when there is none, or several */
export function exactlyOne<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}
