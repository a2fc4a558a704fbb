import { createContext, useContext } from 'react';

/** What is edited, and how. */
export interface Editor {
  readonly valueOf: (name: string) => unknown;
  readonly isChanged: (name: string) => boolean;
  readonly set: (name: string, value: unknown) => void;
}

export const EditorContext = createContext<Editor | null>(null);

/** One field of the brand that is edited. @throws {Error} outside the editor */
export function useBrandField(name: string) {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error('no brand is edited here');
  return {
    value: editor.valueOf(name),
    isChanged: editor.isChanged(name),
    set: (value: unknown) => editor.set(name, value),
  };
}
