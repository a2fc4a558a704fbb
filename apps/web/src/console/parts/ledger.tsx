import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './parts.module.css';

export interface LedgerColumn<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** `strong`: what the row is. `figure`: at the end. `whole`: never broken. Else it may break anywhere. */
  readonly kind?: 'strong' | 'figure' | 'whole';
}

interface LedgerProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly LedgerColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** The row that keys act on. */
  readonly chosen?: string | undefined;
}

/** A table of one line a row; on a phone each row is a card. */
export const Ledger = <Row,>({ label: name, columns, rows, rowId, chosen }: LedgerProps<Row>) => (
  <table className={styles.ledger} aria-label={name}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.id} scope="col" className={column.kind === 'figure' ? styles.figure : undefined}>
            {column.label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr
          key={rowId(row)}
          className={chosen === rowId(row) ? styles.chosen : undefined}
          data-chosen={chosen === rowId(row) || undefined}
        >
          {columns.map(({ id, label, cell, kind }) => (
            <td key={id} className={classNames(styles[kind ?? 'any'])} data-label={label}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
