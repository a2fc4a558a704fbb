/** Days, periods and time zones: the one door to `day.ts`, `period.ts` and `time-zone.ts`. */
export type { Day } from './day.ts';
export {
  addDays,
  compareDays,
  dayOf,
  dayOfUtcMs,
  dayParts,
  daysBetween,
  daysInMonth,
  dayToUtcMs,
  formatDay,
  isDay,
  parseDay,
} from './day.ts';
export type { Period, UsagePreset } from './period.ts';
export {
  isFullMonth,
  isWithin,
  monthOf,
  monthPeriod,
  periodOf,
  periodText,
  transactionsFileName,
  usagePreset,
  usagePresets,
} from './period.ts';
export {
  clockIn,
  isTimeZone,
  localToInstant,
  momentIn,
  startOfDay,
  today,
  zoneInFull,
  zoneName,
  zonesInFull,
} from './time-zone.ts';
