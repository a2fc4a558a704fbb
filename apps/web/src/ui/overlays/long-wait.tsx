import { useEffect, useSyncExternalStore } from 'react';
import { t } from '../../text/common.ts';
import styles from './long-wait.module.css';

/** A wait that lasts so long is spoken about. */
const LONG_MS = 6_000;

const waits = new Map<object, boolean>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const isLong = (): boolean => [...waits.values()].some(Boolean);

/** Begins a wait. @returns what ends it */
function begin(): () => void {
  const wait = {};
  waits.set(wait, false);
  const timer = setTimeout(() => {
    waits.set(wait, true);
    tell();
  }, LONG_MS);
  return () => {
    clearTimeout(timer);
    if (waits.get(wait) === true) {
      waits.delete(wait);
      tell();
    } else waits.delete(wait);
  };
}

/**
 * The one mechanism for long waits: whatever turns or holds a place while something is on its way says so, and
 * {@link LongWaitNote} speaks once one of them has lasted for some seconds.
 */
export function useWaiting(isWaiting: boolean): void {
  useEffect(() => (isWaiting ? begin() : undefined), [isWaiting]);
}

/** 'This takes longer than usual …' at the foot of the window, above everything, while that is so. */
export function LongWaitNote() {
  const shown = useSyncExternalStore(subscribe, isLong, () => false);
  return (
    <p role="status" className={shown ? styles.note : styles.none}>
      {shown && t('wait.long')}
    </p>
  );
}
