const MOST = 6;
const MOST_DAYS = 90;

/** Days as they are typed: '1, 7, 14'. */
export const daysText = (days: readonly number[] | string): string =>
  typeof days === 'string' ? days : days.join(', ');

/** What was typed as days; what is no such list stays the text it is. */
export function readDays(typed: string, least: number): readonly number[] | string {
  const words = typed.split(/[\s,;]+/).filter(Boolean);
  const days = words.map(Number);
  const isList =
    days.length <= MOST &&
    words.every((word) => /^\d{1,2}$/.test(word)) &&
    days.every((day) => day >= least && day <= MOST_DAYS);
  return isList ? days : typed;
}
