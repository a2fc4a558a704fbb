import { type ReactNode, useState } from 'react';
import { defineMessages } from '../../text/catalogue.ts';
import { classNames } from '../class-names.ts';
import styles from './date-range.module.css';
import type { DateRangeProblem, DateRangeValue } from './date-range-model.ts';
import { TextInput } from './text-input.tsx';

const t = defineMessages({
  from: 'From',
  to: 'To',
  'problem.missing.from': 'Choose the first day',
  'problem.missing.to': 'Choose the last day',
  'problem.reversed.to': 'The last day lies before the first',
});

/** The words for a problem of the range. */
export const dateRangeWords = ({ field, kind }: DateRangeProblem): string =>
  t(
    kind === 'reversed'
      ? 'problem.reversed.to'
      : field === 'from'
        ? 'problem.missing.from'
        : 'problem.missing.to',
  );

interface DateRangeProps {
  /** Ids of the two fields are `{id}-from` and `{id}-to`. */
  readonly id: string;
  readonly value: DateRangeValue;
  readonly onChange: (value: DateRangeValue) => void;
  readonly problems: readonly DateRangeProblem[];
  /** A filter above a grid: small muted labels. */
  readonly filter?: boolean;
  readonly required?: boolean;
}

/**
 * First and last day in the browser's own date fields. What is wrong is said when the fields are left: while a date
 * is being typed it is always wrong.
 */
export function DateRange({ id, value, onChange, problems, filter, required }: DateRangeProps): ReactNode {
  const [isTyping, setTyping] = useState(false);
  const errorAt = (field: DateRangeProblem['field']): string | undefined => {
    const problem = problems.find((one) => one.field === field);
    return problem === undefined || isTyping ? undefined : dateRangeWords(problem);
  };
  const input = (field: 'from' | 'to') => (
    <TextInput
      id={`${id}-${field}`}
      type="date"
      label={t(field)}
      filter={filter}
      value={value[field]}
      error={errorAt(field)}
      aria-required={required}
      min="1970-01-01"
      max="9999-12-31"
      onChange={(event) => onChange({ ...value, [field]: event.currentTarget.value })}
    />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only hears that the focus came and went
    <div
      className={classNames(styles.range, filter && styles.filter)}
      onFocus={() => setTyping(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setTyping(false);
      }}
    >
      {input('from')}
      {input('to')}
    </div>
  );
}
