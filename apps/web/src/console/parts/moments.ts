import { formatMoment } from '../../lib/values/moment.ts';

/** Day and time of a moment, in UTC, which is said. */
export function dayAndTime(at: string): string {
  const { day, time } = formatMoment(at, 'UTC');
  return `${day} ${time}`;
}

/** The same where the column says that it is UTC. */
export const dayAndTimeOnly = (at: string): string => dayAndTime(at).replace(' UTC', '');
