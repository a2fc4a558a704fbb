import { useState } from 'react';
import { TextInput } from './text-input.tsx';

interface FilterTextProps {
  readonly label: string;
  /** As the URL holds it. */
  readonly value: string | undefined;
  /** With every letter; undefined when it was emptied. */
  readonly onChange: (value: string | undefined) => void;
  readonly placeholder?: string;
}

/**
 * A text filter above a grid whose value stands in the URL. While it has the focus it shows what is typed: the URL
 * follows a moment later, and must not take letters back.
 */
export function FilterText({ label, value = '', onChange, placeholder }: FilterTextProps) {
  const [draft, setDraft] = useState<string>();
  return (
    <TextInput
      label={label}
      filter
      type="search"
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      value={draft ?? value}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setDraft(text);
        onChange(text === '' ? undefined : text);
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}
