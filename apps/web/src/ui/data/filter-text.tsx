import { useEffect, useRef, useState } from 'react';
import { TextInput } from '../fields/text-input.tsx';

interface FilterTextProps {
  readonly label: string;
  /** As the URL holds it. */
  readonly value: string | undefined;
  /** With every letter; undefined when it was emptied. */
  readonly onChange: (value: string | undefined) => void;
  readonly placeholder?: string;
  /** Most characters taken. */
  readonly maxLength?: number;
  /** The URL follows when the typing pauses this long, ms: where each letter would ask the server. Default: at once. */
  readonly pause?: number;
}

/**
 * A text filter above a grid whose value stands in the URL. While it has the focus it shows what is typed: the URL
 * follows a moment later, and must not take letters back.
 */
export function FilterText({ label, value = '', onChange, placeholder, maxLength, pause }: FilterTextProps) {
  const [draft, setDraft] = useState<string>();
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly tell: () => void }>(
    undefined,
  );
  const tellNow = () => {
    clearTimeout(waiting.current?.timer);
    waiting.current?.tell();
    waiting.current = undefined;
  };
  const change = (text: string) => {
    const tell = () => onChange(text === '' ? undefined : text);
    clearTimeout(waiting.current?.timer);
    if (pause === undefined) tell();
    else waiting.current = { timer: setTimeout(tellNow, pause), tell };
  };
  useEffect(() => () => clearTimeout(waiting.current?.timer), []);
  return (
    <TextInput
      label={label}
      filter
      type="search"
      autoComplete="off"
      spellCheck="false"
      placeholder={placeholder}
      maxLength={maxLength}
      value={draft ?? value}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setDraft(text);
        change(text);
      }}
      onKeyDown={(event) => event.key === 'Enter' && tellNow()}
      onBlur={() => {
        tellNow();
        setDraft(undefined);
      }}
    />
  );
}
