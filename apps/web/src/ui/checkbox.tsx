import { useEffect, useRef } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  /** Some but not all of what it stands for; `checked` is then ignored on screen. */
  readonly mixed?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A box without visible text (its label is for screen readers), with a target of 44 px. */
export function Checkbox({ label, checked, mixed = false, disabled, onChange }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className={styles.hit}>
      <input
        ref={box}
        className={styles.check}
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}
