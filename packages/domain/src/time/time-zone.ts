import { InvalidValue } from '../result.ts';
import type { Day } from './day.ts';
import { dayOfUtcMs, isDay } from './day.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Since 1973 every zone changes its offset on a quarter of an hour, so one answer serves a whole quarter. */
const QUARTER_MS = 900_000;
const REGULAR_SINCE_MS = Date.UTC(1973, 0, 1);
const CACHE_LIMIT = 20_000;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offset in ms by quarter of an hour; makes a million local times of an import cheap. */
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new InvalidValue('timeZone', timeZone, 'not an IANA time zone');
  }
  const zone: Zone = { format, offsets: new Map() };
  zones.set(timeZone, zone);
  return zone;
}

/** Whether the text names an IANA time zone this runtime knows, such as 'Europe/Berlin' or 'UTC'. */
export function isTimeZone(text: string): boolean {
  try {
    zoneOf(text);
    return true;
  } catch {
    return false;
  }
}

/** What clocks show at an instant, written as if it were UTC. */
function wallMs(zone: Zone, ms: number): number {
  const parts = new Map(zone.format.formatToParts(ms).map((part) => [part.type, part.value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const date = new Date(0);
  date.setUTCFullYear(year, number('month') - 1, number('day'));
  date.setUTCHours(number('hour'), number('minute'), number('second'));
  return date.getTime();
}

/** Local time minus UTC at an instant, ms. */
function offsetAt(zone: Zone, ms: number): number {
  const second = Math.floor(ms / 1000) * 1000;
  if (second < REGULAR_SINCE_MS) return wallMs(zone, second) - second;
  const quarter = Math.floor(second / QUARTER_MS);
  const known = zone.offsets.get(quarter);
  if (known !== undefined) return known;
  const offset = wallMs(zone, second) - second;
  if (zone.offsets.size >= CACHE_LIMIT) zone.offsets.clear();
  zone.offsets.set(quarter, offset);
  return offset;
}

/**
 * The instant at which clocks of the zone show `wall`. Shown twice (clocks set back): the first time. Never
 * shown (clocks set forward): as much later as clocks jumped, that is, read with the offset before the jump.
 */
function instantOf(zone: Zone, wall: number): number {
  const before = offsetAt(zone, wall - DAY_MS);
  const after = offsetAt(zone, wall + DAY_MS);
  const candidates = [before, after]
    .filter((offset) => offsetAt(zone, wall - offset) === offset)
    .map((offset) => wall - offset);
  return candidates.length > 0 ? Math.min(...candidates) : wall - before;
}

/**
 * The day on the calendar of the zone.
 * @throws {InvalidValue} kind 'timeZone'
 */
export function today(timeZone: string, now: Date): Day {
  const zone = zoneOf(timeZone);
  return dayOfUtcMs(now.getTime() + offsetAt(zone, now.getTime()));
}

/** Who has a short name for a zone of theirs: 'EST', 'CET', 'AEST'. */
const NAMING = ['en-US', 'en-GB', 'en-AU', 'en-IN'];
const nameFormats = new Map<string, Intl.DateTimeFormat>();

/** 'UTC−5', 'UTC+5:45' at an instant. */
function offsetText(timeZone: string, at: Date): string {
  const minutes = Math.round(offsetAt(zoneOf(timeZone), at.getTime()) / 60_000);
  const [size, sign] = minutes < 0 ? [-minutes, '\u2212'] : [minutes, '+'];
  const rest = size % 60;
  return `UTC${sign}${Math.floor(size / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/**
 * What people call a zone at an instant: 'EST', 'CET', 'UTC'; 'UTC−3' where English has no short name. No two offsets
 * share a name.
 * @throws {InvalidValue} kind 'timeZone'
 */
export function zoneName(timeZone: string, at: Date): string {
  for (const locale of NAMING) {
    const key = `${locale} ${timeZone}`;
    const format =
      nameFormats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
    nameFormats.set(key, format);
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (!/^GMT[+-]/.test(name)) return name;
  }
  return offsetText(timeZone, at);
}

/** {@link zoneName} for paper, which is read anywhere and long after: 'EST (UTC−5)'. */
export function zoneInFull(timeZone: string, at: Date): string {
  const name = zoneName(timeZone, at);
  return name.startsWith('UTC') ? name : `${name} (${offsetText(timeZone, at)})`;
}

/** {@link zoneInFull} at each instant between two: both names where clocks were changed between, the earlier first. */
export function zonesInFull(timeZone: string, from: Date, to: Date): string[] {
  const byOffset = new Map<number, string>();
  for (let ms = from.getTime(); ms < to.getTime() + DAY_MS; ms += DAY_MS) {
    const at = Math.min(ms, to.getTime());
    const offset = offsetAt(zoneOf(timeZone), at);
    if (!byOffset.has(offset)) byOffset.set(offset, zoneInFull(timeZone, new Date(at)));
  }
  return [...byOffset.values()];
}

/**
 * What clocks and calendars of a zone show at an instant.
 * @returns the day and '14:03:22', 24 hours
 * @throws {InvalidValue} kind 'timeZone'
 */
export function clockIn(timeZone: string, at: Date): { readonly day: Day; readonly clock: string } {
  const ms = at.getTime();
  const wall = new Date(ms + offsetAt(zoneOf(timeZone), ms));
  return { day: dayOfUtcMs(wall.getTime()), clock: wall.toISOString().slice(11, 19) };
}

/**
 * An instant as people read it. Everything that shows a time of day to a person goes through this or {@link clockIn}
 * with {@link zoneName}: screens, mails and letters say the same of one payment, wherever they are read.
 * @returns the day and '14:03 EST': 24 hours, with the zone's short name at that time of the year
 * @throws {InvalidValue} kind 'timeZone'
 */
export function momentIn(timeZone: string, at: Date): { readonly day: Day; readonly time: string } {
  const { day, clock } = clockIn(timeZone, at);
  return { day, time: `${clock.slice(0, 5)} ${zoneName(timeZone, at)}` };
}

/**
 * The first instant of a day in the zone: midnight, or the moment clocks jumped to where midnight was skipped.
 * A day that a zone left out entirely starts when the next one does.
 * @throws {InvalidValue} kind 'timeZone'
 */
export const startOfDay = (d: Day, timeZone: string): Date =>
  new Date(instantOf(zoneOf(timeZone), Date.parse(`${d}T00:00:00Z`)));

const localPattern = /^(\d{4}-\d{2}-\d{2})[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/;

/**
 * A zone-less local time, such as a call record's, as an instant. A time shown twice when clocks are set back
 * means the first; a time skipped when they are set forward is moved on by the length of the jump (02:30 becomes
 * 03:30), so that no record is lost and order within the day is kept on either side of the jump.
 * @param local 'YYYY-MM-DD HH:MM:SS' (a 'T' between is accepted)
 * @throws {InvalidValue} kind 'localTime' or 'timeZone'
 */
export function localToInstant(local: string, timeZone: string): Date {
  const zone = zoneOf(timeZone);
  const match = localPattern.exec(local);
  const date = match?.[1];
  if (match === null || date === undefined || !isDay(date)) {
    throw new InvalidValue('localTime', local, 'not an existing YYYY-MM-DD HH:MM:SS');
  }
  return new Date(instantOf(zone, Date.parse(`${date}T${match[2]}:${match[3]}:${match[4]}Z`)));
}
