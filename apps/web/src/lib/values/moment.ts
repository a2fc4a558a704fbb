import { formatDay } from '@counterfoil/domain/time/day.ts';
import { momentIn } from '@counterfoil/domain/time/time-zone.ts';
import { runtimeConfig } from '../page/runtime-config.ts';

let brandZone: string | undefined;

/** Called when the brand of the current customer is known; before, it is the host's. @param timeZone IANA name */
export const setBrandZone = (timeZone: string): void => {
  brandZone = timeZone;
};

/**
 * An instant as two texts: 'MM.DD.YYYY' and the time of day with the name of its zone ('14:03 EST'). Everybody reads the
 * same, wherever their browser is.
 * @param instant ISO instant
 * @param timeZone IANA name; absent: the brand's
 */
export function formatMoment(
  instant: string,
  timeZone = brandZone ?? runtimeConfig.brand?.timeZone ?? 'UTC',
): { readonly day: string; readonly time: string } {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return { day: '-', time: '-' };
  const { day, time } = momentIn(timeZone, date);
  return { day: formatDay(day), time };
}
