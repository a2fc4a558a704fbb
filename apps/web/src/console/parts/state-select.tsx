import { Select } from '../../ui/fields/select.tsx';

interface StateSelectProps<State extends string> {
  readonly label: string;
  /** Undefined: all of them. */
  readonly value: State | undefined;
  readonly states: readonly State[];
  /** @param state undefined: all of them */
  readonly words: (state: State | undefined) => string;
  readonly onChange: (state: State | undefined) => void;
}

/** Narrows a list to one of its states. */
export const StateSelect = <State extends string>(props: StateSelectProps<State>) => (
  <Select
    label={props.label}
    filter
    value={props.value ?? ''}
    onChange={({ currentTarget }) => props.onChange(props.states.find((one) => one === currentTarget.value))}
  >
    <option value="">{props.words(undefined)}</option>
    {props.states.map((state) => (
      <option key={state} value={state}>
        {props.words(state)}
      </option>
    ))}
  </Select>
);
