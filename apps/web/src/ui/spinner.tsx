import { t } from '../messages/common.ts';
import styles from './spinner.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

/** A turning ring the size of the text beside it. */
export const Spinner = () => <span className={styles.spin} aria-hidden="true" />;

interface SpinnerOverlayProps {
  readonly label?: string;
  /** A ring turns elsewhere, in the button that was pressed: here it would be the second. */
  readonly bare?: boolean;
}

/** Covers the window while something loads that has no place of its own; invisible for the first 150 ms. */
export const SpinnerOverlay = ({ label = t('state.loading'), bare }: SpinnerOverlayProps) => (
  <div className={styles.overlay} role="status">
    {!bare && <span className={styles.spin} aria-hidden="true" />}
    <VisuallyHidden>{label}</VisuallyHidden>
  </div>
);
