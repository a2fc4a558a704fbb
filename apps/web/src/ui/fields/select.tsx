import type { ReactNode, SelectHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { Field, type FieldTexts } from './field.tsx';
import styles from './input.module.css';

type SelectProps = FieldTexts &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'> & { readonly children: ReactNode };

/** The browser's own select in our dress; its options are `<option>` elements. For long lists: ComboBox. */
export function Select(props: SelectProps) {
  const { label, hint, error, optional, filter, hideLabel, id, className, ...select } = props;
  return (
    <Field {...{ label, hint, error, optional, filter, hideLabel, id }}>
      {(control) => (
        <span className={styles.withEnd}>
          <select
            {...select}
            {...control}
            className={classNames(styles.input, styles.select, filter && styles.compact, className)}
          />
          <span className={classNames(styles.end, styles.arrow)}>
            <Icon name="down" />
          </span>
        </span>
      )}
    </Field>
  );
}
