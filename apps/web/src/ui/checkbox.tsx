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
  readonly onChange: (checked: boolean) => void;
}

/** A box with a target of 44 px; without `labelShown` its label is for screen readers only. */
export function Checkbox({ label, labelShown, checked, mixed = false, disabled, onChange }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className={labelShown ? styles.line : styles.hit}>
      <input
        ref={box}
        className={styles.check}
        type="checkbox"
        aria-label={labelShown ? undefined : label}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {labelShown && label}
    </label>
  );
}
