import { useState } from 'react';
import { Icon } from '../icon.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';
import { Button } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly copied: string;
}

/** Puts a text on the clipboard and says so. A browser that refuses leaves the text on screen to be selected. */
export function CopyButton({ text, label, copied }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  const copy = () => {
    void globalThis.navigator.clipboard?.writeText(text).then(
      () => setDone(true),
      () => undefined,
    );
  };
  return (
    <>
      <Button onClick={copy}>
        {isDone && <Icon name="check" />}
        {isDone ? copied : label}
      </Button>
      <VisuallyHidden role="status">{isDone ? copied : ''}</VisuallyHidden>
    </>
  );
}
