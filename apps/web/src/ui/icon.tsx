import { classNames } from './class-names.ts';
import styles from './icon.module.css';

/** Our own drawings on a 16 px field, stroke 1.6; each entry is one path. */
const drawings = {
  alert: 'M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M8 4.8v3.7M8 11v.1',
  back: 'm10 4-4 4 4 4',
  bank: 'M2 6.2 8 2.8l6 3.4M3 13.2h10M4.2 6.8v4.6M8 6.8v4.6M11.8 6.8v4.6',
  card: 'M3.2 3.5h9.6a1.4 1.4 0 0 1 1.4 1.4v6.2a1.4 1.4 0 0 1-1.4 1.4H3.2a1.4 1.4 0 0 1-1.4-1.4V4.9a1.4 1.4 0 0 1 1.4-1.4M1.8 6.5h12.4',
  chart: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  clock: 'M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M8 4.6V8l2.3 1.5',
  close: 'm4 4 8 8M12 4l-8 8',
  down: 'm4 6 4 4 4-4',
  download: 'M8 2.5v7M5 6.8l3 3 3-3M2.8 13.2h10.4',
  file: 'M4 1.8h5l3 3v9.4H4zM9 1.8v3h3M6 8.5h4M6 11h4',
  forward: 'm6 4 4 4-4 4',
  info: 'M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M8 7.4v3.8M8 5v.1',
  lock: 'M4.4 7h7.2a1.2 1.2 0 0 1 1.2 1.2v4.2a1.2 1.2 0 0 1-1.2 1.2H4.4a1.2 1.2 0 0 1-1.2-1.2V8.2A1.2 1.2 0 0 1 4.4 7M5.4 7V5a2.6 2.6 0 0 1 5.2 0v2',
  menu: 'M2 4.5h12M2 8h12M2 11.5h12',
  minus: 'M3 8h10',
  plus: 'M8 3v10M3 8h10',
  retry: 'M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.8V6H9.8',
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0M10.3 10.3l3.4 3.4',
  undo: 'M3 8h7a3 3 0 0 1 0 6H7M6 5 3 8l3 3',
  up: 'm4 10 4-4 4 4',
} as const;

export type IconName = keyof typeof drawings;

interface DrawingProps {
  readonly large?: boolean;
  readonly className?: string | undefined;
}

/** Decoration only: the meaning always stands in words beside it or in the control's label. */
export const Drawing = ({ path, large, className }: DrawingProps & { readonly path: string }) => (
  <svg
    className={classNames(styles.icon, large && styles.large, className)}
    viewBox="0 0 16 16"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);

/** One of the drawings that pages of all kinds use. */
export const Icon = ({ name, ...look }: DrawingProps & { readonly name: IconName }) => (
  <Drawing path={drawings[name]} {...look} />
);
