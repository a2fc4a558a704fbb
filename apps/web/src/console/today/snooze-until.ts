/** Until when a thing is put off. */
export const snoozeUntil = ['tomorrow', 'nextWeek'] as const;
export type SnoozeUntil = (typeof snoozeUntil)[number];

const MONDAY = 1;
const MORNING = 6;

/** The morning of tomorrow or of next Monday, where the person is. */
export function morningOf(until: SnoozeUntil, now: Date): Date {
  const days = until === 'tomorrow' ? 1 : (7 + MONDAY - now.getDay()) % 7 || 7;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}
