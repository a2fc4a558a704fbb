import type { DemoBrand } from './brand.ts';
import type { DemoCustomer } from './customers.ts';
import { fixedId } from './random.ts';
import { type DemoType, demoType, type ServiceCode } from './tariff.ts';

export interface DemoAgreement {
  readonly id: string;
  readonly name: string;
}

/** One service on one number or connection, with the kinds of usage it has. */
export interface DemoItem {
  readonly id: string;
  readonly service: ServiceCode;
  readonly agreement: DemoAgreement;
  /** The number as people write it, or the connection's name. */
  readonly name: string;
  readonly description: string;
  readonly costCentre: string | null;
  readonly site: string;
  readonly types: readonly DemoType[];
}

export interface Subscriptions {
  readonly agreements: readonly DemoAgreement[];
  readonly items: readonly DemoItem[];
}

const FLEET_SIZE = 125;

interface Line {
  readonly kind: 'mobile' | 'landline' | 'fibre' | 'sim';
  readonly name: string;
  readonly agreement: DemoAgreement;
}

const mobileTypes: Readonly<Partial<Record<ServiceCode, readonly string[]>>> = {
  voice: ['national', 'mobile'],
  sms: ['text'],
  data: ['mobile-data'],
  roaming: ['roaming-call', 'roaming-data'],
  fixed: ['mobile-plan'],
};
const typesOf: Readonly<Record<Line['kind'], Readonly<Partial<Record<ServiceCode, readonly string[]>>>>> = {
  mobile: mobileTypes,
  landline: { voice: ['national', 'international', 'freephone'], fixed: ['line-rental'] },
  fibre: { fixed: ['broadband'] },
  sim: { voice: ['national'], sms: ['text'], data: ['mobile-data'], fixed: ['mobile-plan'] },
};

/** What a customer subscribes to. Numbers come from the ranges that are kept free for drama and documentation. */
export function subscriptionsOf(customer: DemoCustomer, brand: DemoBrand): Subscriptions {
  const agreement = (name: string): DemoAgreement => ({
    id: fixedId(`agreement ${customer.key} ${name}`),
    name,
  });
  if (customer.profile === 'nothing') return { agreements: [], items: [] };
  if (customer.profile === 'fleet') {
    const fleet = agreement('Vehicle fleet');
    const sims = Array.from(
      { length: FLEET_SIZE },
      (_, at): Line => ({
        kind: 'sim',
        name: numberOf(brand.country, customer.ordinal, 100 + at),
        agreement: fleet,
      }),
    );
    return { agreements: [fleet], items: itemsOf(customer, sims) };
  }
  const mobile = agreement('Mobile');
  const fixed = agreement('Fixed & Internet');
  const isOffice = customer.profile === 'office';
  const number = (at: number) => numberOf(brand.country, customer.ordinal, at);
  const mobiles = Array.from(
    { length: isOffice ? 4 : 2 },
    (_, at): Line => ({ kind: 'mobile', name: number(at), agreement: mobile }),
  );
  const landlines = Array.from(
    { length: isOffice ? 2 : 1 },
    (_, at): Line => ({ kind: 'landline', name: number(10 + at), agreement: fixed }),
  );
  const fibre: Line = {
    kind: 'fibre',
    name: `FIB-${brand.prefix}-${10_400 + customer.ordinal}`,
    agreement: fixed,
  };
  return { agreements: [mobile, fixed], items: itemsOf(customer, [...mobiles, ...landlines, fibre]) };
}

const kindNames = { mobile: 'Mobile', landline: 'Desk telephone', fibre: 'Internet', sim: 'Van' } as const;

function itemsOf(customer: DemoCustomer, lines: readonly Line[]): readonly DemoItem[] {
  return lines.flatMap((line, at) => {
    const person = customer.people[at % customer.people.length] ?? '';
    const who = line.kind === 'sim' ? `${at + 1}` : person;
    const description = line.kind === 'fibre' ? kindNames.fibre : `${kindNames[line.kind]} ${who}`;
    const shared = {
      agreement: line.agreement,
      name: line.name,
      description,
      costCentre: customer.costCentres[at % customer.costCentres.length] ?? null,
      site: customer.sites[at % customer.sites.length] ?? '',
    };
    return Object.entries(typesOf[line.kind]).map(([service, codes]) => ({
      ...shared,
      service: service as ServiceCode,
      id: fixedId(`item ${customer.key} ${line.name} ${service}`, undefined, at),
      types: codes.map(demoType),
    }));
  });
}

const pad = (value: number, length: number): string => String(value).padStart(length, '0');
const usAreas = [202, 303, 402, 510, 602, 617, 718, 808, 907, 971];

/** A telephone number that belongs to nobody. @param at distinguishes the numbers of one customer, below 300 */
export function numberOf(country: string, ordinal: number, at: number): string {
  if (country === 'US') {
    const place = ordinal * 12 + at;
    const area =
      at >= 100 ? usAreas[Math.floor((at - 100) / 100) % 2] : usAreas[2 + (Math.floor(place / 100) % 8)];
    return `+1 ${area} 555 01${pad((at >= 100 ? at - 100 : place) % 100, 2)}`;
  }
  const place = (ordinal * 12 + at) % 1000;
  if (country === 'CA') return `+1 613 555 01${pad(place % 100, 2)}`;
  if (country === 'GB') return at < 10 ? `+44 7700 900${pad(place, 3)}` : `+44 20 7946 0${pad(place, 3)}`;
  if (country === 'AU') return at < 10 ? `+61 491 57${pad(place, 4)}` : `+61 2 5550 ${pad(place, 4)}`;
  if (country === 'DE')
    return at < 10 ? `+49 176 0406900${pad(place % 100, 2)}` : `+49 30 23125 ${pad(place, 3)}`;
  return `+965 2200 ${pad(place, 4)}`;
}
