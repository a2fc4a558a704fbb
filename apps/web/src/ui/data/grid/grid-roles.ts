/**
 * Table roles written out. As cards the elements are displayed as blocks and grids, and browsers differ in
 * whether they then still tell assistive technology of a table.
 */
export const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
