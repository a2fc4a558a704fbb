import { useEffect, useRef } from 'react';

const STORED = 'counterfoil.console.keys';
/** How long the second key of two may take. */
const SEQUENCE_MS = 1_500;

/** Whether letters act as keys at all; who dictates or types by mistake switches them off. */
export const lettersAct = (): boolean => globalThis.localStorage.getItem(STORED) !== 'off';

export const setLettersAct = (act: boolean): void =>
  globalThis.localStorage.setItem(STORED, act ? 'on' : 'off');

/** What a key does, by the key, or by two after each other: 'g c'. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Whether typing goes somewhere: then letters are letters. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input, textarea, select') ||
    target.closest('dialog') !== null);

/** Lets keys act on a page while it is shown. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let first = '';
    let at = 0;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !lettersAct()) return;
      const key = event.key.toLowerCase();
      const both = event.timeStamp - at < SEQUENCE_MS ? `${first} ${key}` : key;
      const act = latest.current[both] ?? latest.current[key];
      first = key;
      at = event.timeStamp;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
