import styles from './parts.module.css';

/** A key on a keyboard; what it does is said beside it. */
export const Key = ({ children }: { readonly children: string }) => (
  <kbd className={styles.key}>{children}</kbd>
);

/** A key that presses a button or reaches a field: decoration, for these have their words and `aria-keyshortcuts`. */
export const KeyOf = ({ children }: { readonly children: string }) => (
  <span className={styles.key} aria-hidden="true">
    {children}
  </span>
);
