const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second … failed try; the last one from then on. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
] as const;
const SPREAD = 0.2;

/**
 * How long a delivery waits after it has failed, milliseconds: longer each time, and never just as long as the others that
 * failed with it.
 * @param tries how often it was tried, at least once
 * @param random from 0 to 1
 */
export function pauseAfter(tries: number, random = Math.random()): number {
  const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] ?? PAUSES_MS[0];
  return Math.round(pause * (1 - SPREAD + 2 * SPREAD * random));
}

/** Failures one after the other from which on an endpoint is tried with one message at a time, with pauses. */
export const FAILING_FROM = 5;
/** An endpoint that has failed for as long, and delivered nothing meanwhile, is paused. */
export const PAUSED_AFTER_MS = 72 * HOUR_MS;
const MOST_ENDPOINT_PAUSE = 5;

/** How long an endpoint is left alone after so many failures one after the other, milliseconds; half an hour at most. */
export const endpointPause = (failures: number, random = Math.random()): number =>
  failures < FAILING_FROM
    ? 0
    : pauseAfter(Math.min(failures - FAILING_FROM + 1, MOST_ENDPOINT_PAUSE), random);
