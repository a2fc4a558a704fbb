import { Fragment, type ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './parts.module.css';

export interface LedgerColumn<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /**
   * `strong`: what the row is. `figure`: at the end, on a phone beside the name where it is the last. `count`: the same, but
   * always with its heading there. `whole`: never broken. `address`: an e-mail address, broken before its host. Else it may break
   * anywhere.
   */
  readonly kind?: 'strong' | 'figure' | 'count' | 'whole' | 'address';
  /** Holds what can be pressed: paper has none of it. */
  readonly screenOnly?: boolean;
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

const isFigure = (kind: LedgerColumn<never>['kind']): boolean => kind === 'figure' || kind === 'count';

/** A text with a place to break behind each `@`, where it is one. */
const beforeHost = (content: ReactNode): ReactNode =>
  typeof content === 'string'
    ? content.split(/(?<=@)/).map((part) => (
        <Fragment key={part}>
          {part}
          {part.endsWith('@') && <wbr />}
        </Fragment>
      ))
    : content;

/** A table of one line a row; on a phone each row is a card. */
export const Ledger = <Row,>({ label: name, columns, rows, rowId, chosen }: LedgerProps<Row>) => (
  <table className={styles.ledger} aria-label={name}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            className={classNames(
              isFigure(column.kind) && styles.figure,
              column.screenOnly && styles.screenOnly,
            )}
          >
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
          {columns.map(({ id, label, cell, kind, screenOnly }) => (
            <td
              key={id}
              className={classNames(
                styles[kind ?? 'any'],
                isFigure(kind) && styles.figure,
                screenOnly && styles.screenOnly,
              )}
              data-label={label}
            >
              {kind === 'address' ? beforeHost(cell(row)) : cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
