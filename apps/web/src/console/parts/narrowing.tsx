import { useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import parts from './parts.module.css';
import { StateSelect } from './state-select.tsx';

/** What a list is narrowed by: one of its states, and a text. */
export interface Narrowed<State extends string> {
  readonly state: State | undefined;
  /** Trimmed; undefined for none. */
  readonly text: string | undefined;
}

interface NarrowingProps<State extends string> {
  readonly value: Narrowed<State>;
  readonly onNarrow: (value: Narrowed<State>) => void;
  readonly states: readonly State[];
  /** @param state undefined: all of them */
  readonly stateWords: (state: State | undefined) => string;
  readonly labels: Readonly<Record<'state' | 'text' | 'hint' | 'find', string>>;
  readonly maxLength: number;
  readonly inputMode?: 'email';
}

/** Narrows a list: a state at once, a text when it is sent. */
export function Narrowing<State extends string>(props: NarrowingProps<State>) {
  const { value, onNarrow, states, stateWords, labels, maxLength, inputMode } = props;
  const [typed, setTyped] = useState(value.text ?? '');
  return (
    <form
      className={parts.filters}
      onSubmit={(event) => {
        event.preventDefault();
        onNarrow({ ...value, text: typed.trim() || undefined });
      }}
    >
      <StateSelect
        label={labels.state}
        value={value.state}
        states={states}
        words={stateWords}
        onChange={(state) => onNarrow({ ...value, state })}
      />
      <TextInput
        label={labels.text}
        filter
        type="text"
        inputMode={inputMode}
        autoComplete="off"
        spellCheck="false"
        maxLength={maxLength}
        placeholder={labels.hint}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit">{labels.find}</Button>
    </form>
  );
}
