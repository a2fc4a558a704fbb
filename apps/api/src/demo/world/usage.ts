import { addDays, type Day, startOfDay } from '@counterfoil/domain/time/dates.ts';
import type { DemoBrand } from './brand.ts';
import { type DemoMonth, HISTORY_MONTHS } from './calendar.ts';
import type { DemoCustomer } from './customers.ts';
import { type Random, seededRandom } from './random.ts';
import { type DemoItem, numberOf, type Subscriptions } from './subscriptions.ts';
import { type DemoType, rateOf } from './tariff.ts';

/** The fleet customer has exactly this many records. */
export const FLEET_RECORDS = 250_000;

/** One record of usage. */
export interface DemoRecord {
  /** ms since 1970 */
  readonly at: number;
  /** The natural key's hash, as a UUID. */
  readonly id: string;
  readonly item: DemoItem;
  readonly type: DemoType;
  readonly second: string;
  readonly third: string;
  readonly units: number;
  /** Ten-thousandths of the currency's unit. */
  readonly price: number;
  readonly contentHash: number;
}

export interface UsageScope {
  readonly customer: DemoCustomer;
  readonly brand: DemoBrand;
  readonly subscriptions: Subscriptions;
  /** The running month ends before this instant, ms. */
  readonly until: number;
}

interface Filling {
  readonly random: Random;
  readonly scope: UsageScope;
  readonly month: DemoMonth;
  readonly startMs: number;
  readonly endMs: number;
  readonly days: readonly { readonly ms: number; readonly isWorkday: boolean }[];
}

const DAY_MS = 86_400_000;

/**
 * A customer's usage of one month, in time order; always the same for the same customer and month. Months are those
 * of the brand's time zone. The running month ends with the day before the seeding day.
 */
export function usageOf(scope: UsageScope, month: DemoMonth): readonly DemoRecord[] {
  const { customer, brand, subscriptions } = scope;
  const isRunning = month.index === HISTORY_MONTHS;
  if (isRunning && customer.profile === 'fleet') return [];
  const filling: Filling = {
    random: seededRandom(`usage ${customer.key} ${month.name}`),
    scope,
    month,
    startMs: startOfDay(month.start, brand.timeZone).getTime(),
    endMs: startOfDay(addDays(month.end, 1), brand.timeZone).getTime(),
    days: daysOf(month, brand.timeZone),
  };
  const pairs = subscriptions.items.flatMap((item) => item.types.map((type) => ({ item, type })));
  const counts =
    customer.profile === 'fleet'
      ? fleetCounts(filling, pairs)
      : pairs.map((pair) => countOf(filling, pair.type));
  const records = pairs.flatMap(({ item, type }, at) =>
    Array.from({ length: counts[at] ?? 0 }, () => recordOf(filling, item, type)),
  );
  records.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  return isRunning ? records.filter((record) => record.at < scope.until) : records;
}

function daysOf(month: DemoMonth, timeZone: string): Filling['days'] {
  const days: { ms: number; isWorkday: boolean }[] = [];
  for (let day: Day = month.start; day <= month.end; day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    days.push({ ms: startOfDay(day, timeZone).getTime(), isWorkday: weekday >= 1 && weekday <= 5 });
  }
  return days;
}

/** Roaming happens on journeys: in some months only. */
function countOf({ random, month }: Filling, type: DemoType): number {
  if (type.service === 'roaming' && (month.index * 7 + 3) % 5 > 1) return 0;
  return random.between(...type.records);
}

/** Counts whose sum over all months is exactly {@link FLEET_RECORDS}, uneven as real ones are. */
function fleetCounts(
  { random, month }: Filling,
  pairs: readonly { readonly type: DemoType }[],
): readonly number[] {
  const upTo = (index: number) => Math.floor((FLEET_RECORDS * index) / HISTORY_MONTHS);
  const single = pairs.filter(({ type }) => type.service === 'fixed').length;
  const rest = upTo(month.index + 1) - upTo(month.index) - single;
  const others = pairs.length - single;
  const base = Math.floor(rest / others);
  let extra = rest - base * others;
  let owed = 0;
  let left = others;
  return pairs.map(({ type }) => {
    if (type.service === 'fixed') return 1;
    left -= 1;
    const more = extra > 0 ? 1 : 0;
    extra -= more;
    // What one has too much, the next has too little; the last settles it.
    const shift =
      left === 0 || owed !== 0 ? -owed : random.between(-Math.floor(base / 2), Math.floor(base / 2));
    owed += shift;
    return base + more + shift;
  });
}

function recordOf(filling: Filling, item: DemoItem, type: DemoType): DemoRecord {
  const { random, scope, month } = filling;
  const units = unitsOf(random, type);
  const price = units * rateOf(type, scope.brand, month.index >= HISTORY_MONTHS / 2);
  const [second, third] = detailsOf(filling, type);
  return {
    at: type.service === 'fixed' ? filling.startMs : timeOf(filling),
    id: uuidOf(random),
    item,
    type,
    second,
    third,
    units,
    price,
    contentHash: random.word() * 1_048_576 + (random.word() >>> 12),
  };
}

/** Many short ones, few long ones. */
function unitsOf(random: Random, { units: [least, most] }: DemoType): number {
  if (least === most) return least;
  const share = random.between(0, 1000) / 1000;
  return least + Math.floor((most - least) * share * share);
}

function timeOf({ random, days, endMs }: Filling): number {
  let day = random.pick(days);
  if (!day.isWorkday && random.between(0, 9) < 7) day = random.pick(days);
  const hour = random.between(0, 9) < 8 ? random.between(7, 18) : random.between(0, 23);
  const ms = day.ms + (hour * 3_600 + random.between(0, 3_599)) * 1_000;
  return Math.min(ms, endMs - 1_000, day.ms + DAY_MS);
}

const destinations = [
  ['DE', 'Germany'],
  ['GB', 'United Kingdom'],
  ['AU', 'Australia'],
  ['KW', 'Kuwait'],
] as const;
const roamingPartners = [
  ['Fjordnet', 'Norway'],
  ['Iberia Móvil', 'Spain'],
  ['Alpenfunk', 'Austria'],
  ['Maple Mobile', 'Canada'],
] as const;
const areas = ['North', 'South', 'Harbour', 'Station', 'Old Town'];

const numbers = new Map<string, readonly string[]>();

/** Whom people call: some hundreds of numbers of their country. */
function numbersOf(country: string): readonly string[] {
  const known = numbers.get(country);
  if (known !== undefined) return known;
  const made = Array.from({ length: 600 }, (_, at) => numberOf(country, 30 + Math.floor(at / 15), at % 15));
  numbers.set(country, made);
  return made;
}

function detailsOf(
  { random, scope, month }: Filling,
  { service, code }: DemoType,
): readonly [string, string] {
  const { country } = scope.brand;
  const number = () => random.pick(numbersOf(country));
  switch (service) {
    case 'voice':
      if (code === 'international') {
        const [abroad, name] = random.pick(destinations.filter(([other]) => other !== country));
        return [random.pick(numbersOf(abroad)), name];
      }
      if (code === 'freephone')
        return [country === 'US' || country === 'CA' ? '+1 800 555 0199' : '0800 555 019', 'Freephone'];
      return [number(), code === 'mobile' ? 'Mobile' : 'National'];
    case 'sms':
      return [number(), random.pick(['Own network', 'Other network'])];
    case 'data':
      return ['internet', random.pick(areas)];
    case 'roaming':
      return random.pick(roamingPartners);
    case 'fixed':
      return [code, month.name];
  }
}

/** Hexadecimal digits of each 16-bit number: half of the records' time would go into writing them otherwise. */
const hex16 = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));
const high = (word: number): string => hex16[word >>> 16] ?? '';
const low = (word: number): string => hex16[word & 0xffff] ?? '';

function uuidOf(random: Random): string {
  const [a, b, c, d] = [random.word(), random.word(), random.word(), random.word()];
  return `${high(a)}${low(a)}-${high(b)}-${low(b)}-${high(c)}-${low(c)}${high(d)}${low(d)}`;
}
