import { useEffect, useState } from 'react';
import { t } from './messages.ts';

const SECOND_MS = 1_000;
/** A screen reader hears the time so rarely that it can say other things in between. */
const SPOKEN_EVERY_S = 15;

/** Whole seconds since a moment, counted on while shown. @param since milliseconds */
export function useElapsed(since: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - since) / SECOND_MS));
}

/** 'Generating, 12 seconds so far', from the first minute on with minutes. */
export const elapsedText = (seconds: number): string =>
  seconds < 60
    ? t('progress.seconds', { n: seconds })
    : t('progress.minutes', { m: Math.floor(seconds / 60), n: seconds % 60 });

/** The time that is read out: the last of every 15 seconds. */
export const spokenText = (seconds: number): string =>
  seconds < SPOKEN_EVERY_S ? t('generating') : elapsedText(seconds - (seconds % SPOKEN_EVERY_S));
