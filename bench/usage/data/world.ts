import { fixedId, type Random, seededRandom } from '../../../apps/api/src/demo/world/random.ts';

/** How a type measures: seconds, megabytes, messages, or pieces. */
export type Kind = 'call' | 'volume' | 'message' | 'piece';

export interface BenchType {
  readonly id: string;
  readonly code: string;
  readonly description: string;
  /** Of 5,000 records of the service, so many. */
  readonly slots: number;
  /** Price of a unit, a decimal string. */
  readonly rate: string;
}

export interface BenchService {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly kind: Kind;
  /** Of 100 lines, so many. */
  readonly percent: number;
  readonly types: readonly BenchType[];
}

export interface BenchLine {
  readonly id: string;
  readonly service: number;
  readonly agreementId: string;
  readonly name: string;
  readonly description: string | null;
  readonly costCentre: string | null;
  readonly site: string | null;
}

export interface BenchCustomer {
  readonly id: string;
  readonly label: string;
  /** Of 10,000 records, so many. */
  readonly slots: number;
  readonly agreementIds: readonly string[];
  readonly lines: readonly BenchLine[];
}

/** Whose records they are. The same on every machine. */
export interface World {
  readonly services: readonly BenchService[];
  /** The largest first. */
  readonly customers: readonly BenchCustomer[];
}

export const CUSTOMER_SLOTS = 10_000;
export const TYPE_SLOTS = 5_000;
const CUSTOMERS = 200;
const LARGEST_SLOTS = 2_000;
const LARGEST_LINES = 4_000;
const LEAST_LINES = 12;

const id = (name: string): string => fixedId(`bench usage ${name}`);

const kinds: readonly (readonly [string, string, Kind, number, readonly string[]])[] = [
  [
    ...(['voice', 'Telephony', 'call', 50] as const),
    [
      'National',
      'Mobile',
      'Local',
      'European Union',
      'International',
      'Service number',
      'Freephone',
      'Conference',
      'Voicemail',
      'Satellite',
    ],
  ],
  [
    ...(['data', 'Mobile data', 'volume', 25] as const),
    [
      'Home network',
      'European Union',
      'North America',
      'Asia',
      'Africa',
      'Aeroplane',
      'Ship',
      'Rest of the world',
    ],
  ],
  [
    ...(['message', 'Messages', 'message', 15] as const),
    ['National', 'European Union', 'International', 'Picture', 'Premium', 'Bulk'],
  ],
  [...(['sensor', 'Sensors', 'volume', 7] as const), ['Reading', 'Alarm', 'Update', 'Position']],
  [...(['hosting', 'Hosting', 'piece', 3] as const), ['Request', 'Backup', 'Certificate']],
];

/** Makes the world. Takes some tens of milliseconds. */
export function makeWorld(): World {
  const services = kinds.map(([code, name, kind, percent, types]) => ({
    id: id(`service ${code}`),
    code,
    name,
    kind,
    percent,
    types: typesOf(code, types),
  }));
  return { services, customers: customerSlots().map((slots, n) => customerOf(n, slots, services)) };
}

/** Each type half as often as the one before; the last of many is rare. */
function typesOf(service: string, names: readonly string[]): BenchType[] {
  const random = seededRandom(`bench usage types ${service}`);
  const shares = names.map((_, n) => (n === names.length - 1 && n > 8 ? 2 : Math.max(20, 2_400 >> n)));
  const left = TYPE_SLOTS - shares.reduce((sum, share) => sum + share, 0);
  return names.map((description, n) => ({
    id: id(`type ${service} ${n}`),
    code: `${service}-${n}`,
    description,
    slots: (shares[n] ?? 0) + (n === 0 ? left : 0),
    rate: `0.${String(random.between(1, 60) * 25).padStart(4, '0')}`,
  }));
}

/** The largest has a fifth, the others share the rest with a long tail. */
function customerSlots(): number[] {
  const weights = Array.from({ length: CUSTOMERS - 1 }, (_, n) => (n + 5) ** -1.5);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const others = CUSTOMER_SLOTS - LARGEST_SLOTS;
  const slots = weights.map((weight) => Math.max(2, Math.floor((others * weight) / all)));
  const used = slots.reduce((sum, slot) => sum + slot, 0);
  slots[0] = (slots[0] ?? 0) + others - used;
  return [LARGEST_SLOTS, ...slots];
}

function customerOf(n: number, slots: number, services: readonly BenchService[]): BenchCustomer {
  const random = seededRandom(`bench usage customer ${n}`);
  const agreements = n === 0 ? 12 : random.between(1, 4);
  const agreementIds = Array.from({ length: agreements }, (_, a) => id(`agreement ${n} ${a}`));
  const lines = Math.max(LEAST_LINES, Math.round((LARGEST_LINES * slots) / LARGEST_SLOTS));
  return {
    id: id(`customer ${n}`),
    slots,
    agreementIds,
    label: `Customer ${String(n + 1).padStart(3, '0')}`,
    lines: Array.from({ length: lines }, (_, line) => lineOf(n, line, agreementIds, services, random)),
  };
}

function lineOf(
  customer: number,
  line: number,
  agreementIds: readonly string[],
  services: readonly BenchService[],
  random: Random,
): BenchLine {
  const sometimes = (percent: number, text: string) => (random.between(1, 100) <= percent ? text : null);
  return {
    id: id(`line ${customer} ${line}`),
    // The first is the one with many records: it makes calls.
    service: line === 0 ? 0 : serviceAt(services, random.between(1, 100)),
    agreementId: random.pick(agreementIds),
    name: `+1555${String(customer * 10_000 + ((line * 7_919) % 10_000)).padStart(7, '0')}`,
    description: sometimes(70, `Extension ${random.between(100, 999)}`),
    costCentre: sometimes(60, `CC-${String(random.between(1, 40)).padStart(3, '0')}`),
    site: sometimes(50, `Site ${random.between(1, 25)}`),
  };
}

function serviceAt(services: readonly BenchService[], percent: number): number {
  let sum = 0;
  return services.findIndex((service) => {
    sum += service.percent;
    return percent <= sum;
  });
}
