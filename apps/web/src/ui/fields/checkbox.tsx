import { useEffect, useRef } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps {
  readonly label: string;
  /** The label stands beside the box for everybody. */
  readonly labelShown?: boolean;
  readonly checked: boolean;
  /** Some but not all of what it stands for; `checked` is then ignored on screen. */
  readonly mixed?: boolean;
  readonly disabled?: boolean;
  /** Why it cannot be ticked now: it keeps its place in the tab order, so that the reason can be read. */
  readonly blocked?: string | undefined;
  readonly onChange: (checked: boolean) => void;
}

/** A box with a target of 44 px; without `labelShown` its label is for screen readers only. */
export function Checkbox(props: CheckboxProps) {
  const { label, labelShown, checked, mixed = false, disabled, blocked, onChange } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className={labelShown ? styles.line : styles.hit} title={blocked}>
      <input
        ref={box}
        className={styles.check}
        type="checkbox"
        aria-label={labelShown ? undefined : label}
        aria-description={blocked}
        aria-disabled={blocked === undefined ? undefined : true}
        checked={checked}
        disabled={disabled}
        onChange={(event) => blocked === undefined && onChange(event.currentTarget.checked)}
      />
      {labelShown && label}
    </label>
  );
}

interface TickBoxProps {
  readonly id: string;
  readonly checked: boolean;
  /** Ids of what explains it. */
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  readonly required?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** The box alone, for a label of several lines that stands elsewhere and names it by `htmlFor`. */
export const TickBox = ({ id, checked, describedBy, invalid, required, onChange }: TickBoxProps) => (
  <input
    id={id}
    className={styles.check}
    type="checkbox"
    checked={checked}
    required={required}
    aria-describedby={describedBy}
    aria-invalid={invalid || undefined}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);
