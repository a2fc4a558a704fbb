import { readerLocale } from '../../text/catalogue.ts';

/** ISO 8601: 1 is Monday, 7 is Sunday. */
type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

interface WeekInfo {
  readonly firstDay: Weekday;
}
/** A method in newer browsers, a property in older ones, neither in some. */
interface WeekLocale {
  getWeekInfo?: () => WeekInfo;
  readonly weekInfo?: WeekInfo;
}

/** The day a week begins with, by the language of the browser; Monday where the browser does not tell. */
export function firstWeekday(): Weekday {
  const locale = new Intl.Locale(readerLocale()) as WeekLocale;
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}
