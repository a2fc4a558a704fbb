import { t } from '../../text/common.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';
import { useWaiting } from './long-wait.tsx';
import styles from './spinner.module.css';

interface SpinnerProps {
  /** That it lasts is told beside it already. */
  readonly isLongExpected?: boolean | undefined;
}

/** A turning ring the size of the text beside it. */
export function Spinner({ isLongExpected = false }: SpinnerProps) {
  useWaiting(!isLongExpected);
  return <span className={styles.spin} aria-hidden="true" />;
}

interface SpinnerOverlayProps {
  readonly label?: string;
  /** A ring turns elsewhere, in the button that was pressed: here it would be the second. */
  readonly bare?: boolean;
}

/** Covers the window while something loads that has no place of its own; invisible for the first 150 ms. */
export const SpinnerOverlay = ({ label = t('state.loading'), bare }: SpinnerOverlayProps) => (
  <div className={styles.overlay} role="status">
    {!bare && <Spinner />}
    <VisuallyHidden>{label}</VisuallyHidden>
  </div>
);
