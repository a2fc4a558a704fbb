import { defineMessages } from '../../text/catalogue.ts';

const t = defineMessages({
  'time.now': 'just now',
  'time.minutes': '{n, plural, one {# minute} other {# minutes}} ago',
  'time.hours': '{n, plural, one {# hour} other {# hours}} ago',
  'time.days': '{n, plural, one {# day} other {# days}} ago',
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How long ago something was: 'just now', '5 minutes ago', '3 days ago'. Whole units, rounded down; a moment that
 * lies ahead because two clocks differ is now.
 * @param instant ISO instant
 * @param now milliseconds
 */
export function timeAgo(instant: string, now = Date.now()): string {
  const passed = now - Date.parse(instant);
  if (!(passed >= MINUTE_MS)) return t('time.now');
  if (passed < HOUR_MS) return t('time.minutes', { n: Math.floor(passed / MINUTE_MS) });
  if (passed < DAY_MS) return t('time.hours', { n: Math.floor(passed / HOUR_MS) });
  return t('time.days', { n: Math.floor(passed / DAY_MS) });
}
