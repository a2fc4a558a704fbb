import { isDay, localToInstant } from '@counterfoil/domain/time/dates.ts';

/** When a record began: an instant, or what clocks showed where its zone is known only with its owner. */
export type RecordTime = { readonly ms: number } | { readonly wallMs: number };

const clock =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;
/** 1970 to 2199. */
const year = /^(?:19[7-9]\d|2[01]\d{2})-/;
const DAY_MS = 86_400_000;

/** Days that were read before: files repeat them. */
const days = new Map<string, number>();

function dayMs(text: string): number {
  const known = days.get(text);
  if (known !== undefined) return known;
  const ms = year.test(text) && isDay(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (days.size > 5_000) days.clear();
  days.set(Buffer.from(text).toString(), ms);
  return ms;
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

/** 'YYYY-MM-DD HH:MM:SS' of a day that exists. @returns what clocks showed, as if it were UTC, or NaN */
export function readLocal(text: string): number {
  if (text.length !== 19 || text[10] !== ' ' || text[13] !== ':' || text[16] !== ':') return Number.NaN;
  for (const at of [11, 12, 14, 15, 17, 18])
    if (!(digit(text, at) >= 0 && digit(text, at) <= 9)) return Number.NaN;
  const [hour, minute, second] = [two(text, 11), two(text, 14), two(text, 17)];
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  return dayMs(text.slice(0, 10)) + ((hour * 60 + minute) * 60 + second) * 1000;
}

/** ISO 8601 with or without `T`, fractions (cut to milliseconds) and offset; a day alone is its midnight. */
export function readIso(text: string): RecordTime | null {
  const match = clock.exec(text);
  if (match === null) return null;
  const [, day = '', hour = '0', minute = '0', second = '0', fraction = '', offset] = match;
  const millis = fraction === '' ? 0 : Number(fraction.slice(1, 4).padEnd(3, '0'));
  const wallMs = dayMs(day) + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + millis;
  if (Number.isNaN(wallMs)) return null;
  if (offset === undefined) return { wallMs };
  if (offset === 'Z') return { ms: wallMs };
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return { ms: wallMs - (offset.startsWith('-') ? -minutes : minutes) * 60_000 };
}

/** Seconds or milliseconds since 1970, whole or with a fraction. */
export function readEpoch(text: string, unitMs: 1 | 1000): RecordTime | null {
  if (!/^\d{1,14}(?:\.\d{1,9})?$/.test(text)) return null;
  const ms = Math.floor(Number(text) * unitMs);
  return ms < 7_260_000_000_000 ? { ms } : null;
}

/** Turns local times of one zone into instants; on days without a change of clocks by one addition. */
export class ZoneClock {
  readonly #timeZone: string;
  /** By day since 1970: instant minus wall clock, or null where clocks are changed that day. */
  readonly #offsets = new Map<number, number | null>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** @param wallMs what clocks showed, as if it were UTC */
  instantOf(wallMs: number): number {
    const day = Math.floor(wallMs / DAY_MS);
    let offset = this.#offsets.get(day);
    if (offset === undefined) {
      const [first, last] = [day * DAY_MS, (day + 1) * DAY_MS - 1000];
      const [from, to] = [this.#exact(first) - first, this.#exact(last) - last];
      offset = from === to ? from : null;
      this.#offsets.set(day, offset);
    }
    return offset === null ? this.#exact(wallMs) : wallMs + offset;
  }

  #exact(wallMs: number): number {
    const text = new Date(wallMs).toISOString();
    return localToInstant(text.slice(0, 19), this.#timeZone).getTime() + (wallMs % 1000);
  }
}
