import { useEffect, useId, useState } from 'react';
import type { EntryFieldsProps } from '../../port/browser.ts';
import styles from './entry.module.css';
import { FieldError } from './field-parts.tsx';
import type { OwnField, OwnInputs } from './own-inputs.ts';

interface OwnFieldsProps extends EntryFieldsProps {
  readonly inputs: OwnInputs;
  /** Stands inside an input at its end, e.g. the brand of a card. */
  readonly endOf?: (name: string) => string | undefined;
}

/** Inputs of our own with labels and errors. What is typed stays in them: it is in no state and in no form's data. */
export function OwnFields({ inputs, disabled = false, onState, endOf }: OwnFieldsProps) {
  const [, setChanges] = useState(0);
  const id = useId();
  const { isComplete } = inputs;
  useEffect(() => {
    inputs.changed = () => setChanges((count) => count + 1);
    // What a browser filled in while there was no script.
    inputs.changed();
    return () => {
      inputs.changed = () => undefined;
    };
  }, [inputs]);
  useEffect(() => onState?.({ status: 'ready', isComplete }), [onState, isComplete]);
  return (
    <div className={styles.fields}>
      {rowsOf(inputs.fields).map((row) => {
        const drawn = row.map((field) => (
          <OwnInput
            key={field.name}
            {...{ inputs, field, disabled }}
            id={`${id}-${field.name}`}
            end={endOf?.(field.name)}
          />
        ));
        return row.length === 1 ? (
          drawn
        ) : (
          <div key={row[0]?.name} className={styles.two}>
            {drawn}
          </div>
        );
      })}
    </div>
  );
}

/** Two of half the width stand side by side. */
function rowsOf(fields: readonly OwnField[]): readonly (readonly OwnField[])[] {
  const rows: OwnField[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (field.half && last?.length === 1 && last[0]?.half) last.push(field);
    else rows.push([field]);
  }
  return rows;
}

interface OwnInputProps {
  readonly inputs: OwnInputs;
  readonly field: OwnField;
  readonly id: string;
  readonly disabled: boolean;
  readonly end: string | undefined;
}

function OwnInput({ inputs, field, id, disabled, end }: OwnInputProps) {
  const { name, label, optional, choices, attributes } = field;
  const error = inputs.errorOf(name) ?? '';
  // No `name`: what is typed is no part of the form's data.
  const shared = {
    id,
    disabled,
    required: !optional,
    'aria-invalid': error === '' ? undefined : (true as const),
    'aria-describedby': `${id}-error`,
    'data-entry-field': name,
    'data-keep': 'never',
    onBlur: () => inputs.left(field),
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      <span className={styles.inputBox}>
        {choices ? (
          <>
            <select
              {...shared}
              className={`${styles.input} ${styles.select}`}
              ref={(control) => inputs.place(name, control)}
              onChange={() => inputs.typed(field, false)}
            >
              <option value="">Choose</option>
              {choices.map(([value, word]) => (
                <option key={value} value={value}>
                  {word}
                </option>
              ))}
            </select>
            <span className={styles.end}>
              <svg
                aria-hidden="true"
                viewBox="0 0 16 16"
                width="16"
                height="16"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.6"
              >
                <path d="m4 6 4 4 4-4" />
              </svg>
            </span>
          </>
        ) : (
          <>
            <input
              {...shared}
              {...attributes}
              className={end === undefined ? styles.input : `${styles.input} ${styles.withEnd}`}
              ref={(control) => inputs.place(name, control)}
              onInput={({ nativeEvent }) =>
                inputs.typed(field, !(nativeEvent as InputEvent).inputType?.startsWith('delete'))
              }
            />
            {end && <span className={styles.end}>{end}</span>}
          </>
        )}
      </span>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
