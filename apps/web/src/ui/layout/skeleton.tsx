import { t } from '../../text/common.ts';
import { classNames } from '../class-names.ts';
import { useWaiting } from '../overlays/long-wait.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** CSS lengths of what will stand here. */
  readonly width: string;
  readonly height?: string;
}

/** Holds the place and size of something that is loading; invisible for the first 150 ms. */
export function Skeleton({ width, height }: SkeletonProps) {
  useWaiting(true);
  return (
    <span
      className={styles.block}
      style={{ inlineSize: width, ...(height !== undefined && { blockSize: height }) }}
      aria-hidden="true"
    />
  );
}

/** The same where a class gives the height: markup of the server must not carry style attributes. */
export function SkeletonBox({ className }: { readonly className: string | undefined }) {
  useWaiting(true);
  return <span className={classNames(styles.block, className)} aria-hidden="true" />;
}

/** Says once, to screen readers, that the section around it is loading. */
export const LoadingNote = () => <VisuallyHidden role="status">{t('state.loading')}</VisuallyHidden>;
