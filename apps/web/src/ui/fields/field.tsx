import type { ReactNode } from 'react';
import { useId } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';
import styles from './field.module.css';

/** What the control inside a field must carry so that label, hint and error belong to it. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export interface FieldTexts {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Shown below in the danger colour and announced with the control; absent or empty: no error. */
  readonly error?: string | undefined;
  /** Words after the label in muted type, for example '(optional)'. */
  readonly optional?: string | undefined;
  /** A filter above a grid: small muted label, 40 px box. */
  readonly filter?: boolean | undefined;
  /** The label is for screen readers only. */
  readonly hideLabel?: boolean | undefined;
  /** Id of the control, for links from an error summary; generated when absent. */
  readonly id?: string | undefined;
}

interface FieldProps extends FieldTexts {
  readonly children: (control: FieldControl) => ReactNode;
}

/** Label above, control, then error or hint, all bound together. */
export function Field({ label, hint, error, optional, filter, hideLabel, id, children }: FieldProps) {
  const generated = useId();
  const controlId = id ?? generated;
  const hintId = hint ? `${controlId}-hint` : undefined;
  const errorId = error ? `${controlId}-error` : undefined;
  const text = (
    <label className={styles.label} htmlFor={controlId}>
      {label}
      {optional && <span className={styles.optional}> {optional}</span>}
    </label>
  );
  return (
    <div className={classNames(styles.field, filter && styles.filter)}>
      {hideLabel ? <VisuallyHidden>{text}</VisuallyHidden> : text}
      {children({
        id: controlId,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p className={styles.error} id={errorId}>
          <Icon name="alert" />
          {error}
        </p>
      )}
      {hint && (
        <div className={styles.hint} id={hintId}>
          {hint}
        </div>
      )}
    </div>
  );
}
