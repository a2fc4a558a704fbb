import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import { Field, type FieldTexts } from './field.tsx';
import styles from './input.module.css';

type NativeProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'aria-describedby' | 'aria-invalid'>;

export type TextInputProps = FieldTexts &
  NativeProps & {
    readonly tall?: boolean | undefined;
    /** Stands inside the box at its end: a card network, a unit, a button. */
    readonly end?: ReactNode;
    readonly inputRef?: Ref<HTMLInputElement> | undefined;
  };

/** One line of text with label, hint and error. */
export function TextInput(props: TextInputProps) {
  const { label, hint, error, optional, filter, hideLabel, id, tall, end, inputRef, className, ...input } =
    props;
  return (
    <Field {...{ label, hint, error, optional, filter, hideLabel, id }}>
      {(control) => {
        const box = (
          <input
            {...input}
            {...control}
            ref={inputRef}
            className={classNames(styles.input, filter && styles.compact, tall && styles.tall, className)}
          />
        );
        if (end === undefined) return box;
        return (
          <span className={styles.withEnd}>
            {box}
            <span className={styles.end}>{end}</span>
          </span>
        );
      }}
    </Field>
  );
}
