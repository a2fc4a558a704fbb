import { type CSSProperties, type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import styles from './tile.module.css';

/** Columns of twelve. */
export type TileSpan = 3 | 5 | 6 | 7 | 9 | 12;

interface TileProps {
  readonly title: string;
  /** `plain`: a muted label over a figure. `own`: the content draws the heading, the tile only names itself by it. */
  readonly head?: 'heading' | 'plain' | 'own';
  /** A unit or a quiet action, at the end of the heading's line. */
  readonly aside?: ReactNode;
  readonly span: TileSpan;
  /** CSS length. */
  readonly minHeight?: string;
  readonly children: ReactNode;
}

/** A box of its own on a page of several: heading, then what it is about. */
export function Tile({ title, head = 'heading', aside, span, minHeight, children }: TileProps) {
  const id = useId();
  return (
    <section
      className={classNames(styles.tile, styles[`span${span}`])}
      style={minHeight === undefined ? undefined : ({ '--tile-min': minHeight } as CSSProperties)}
      {...(head === 'own' ? { 'aria-label': title } : { 'aria-labelledby': id })}
    >
      {head !== 'own' && (
        <div className={styles.head}>
          <h2 id={id} className={head === 'plain' ? styles.plain : undefined}>
            {title}
          </h2>
          {aside && <div className={styles.aside}>{aside}</div>}
        </div>
      )}
      <div className={classNames(styles.body, head === 'plain' && styles.close)}>{children}</div>
    </section>
  );
}

/** Lays tiles on twelve columns; those of one row are equally high, and below 960 px each has a row of its own. */
export const Tiles = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.tiles}>{children}</div>
);
