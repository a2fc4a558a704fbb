import { type QuantityUnit, unitOf } from '@counterfoil/domain/money/quantity.ts';
import type { DemoBrand } from './brand.ts';
import { fixedId } from './random.ts';

export type ServiceCode = 'voice' | 'sms' | 'data' | 'roaming' | 'fixed';

/** A service as the reseller names it; the columns of the usage page take their headings from it. */
export interface DemoService {
  readonly code: ServiceCode;
  readonly name: string;
  readonly labels: readonly [item: string, item2: string, item3: string, units: string, type: string];
}

/** One kind of usage. Units are whole; rates are ten-thousandths of the currency's unit, so that prices are exact. */
export interface DemoType {
  readonly service: ServiceCode;
  readonly code: string;
  /** As a charge on an invoice. */
  readonly charge: string;
  /** As the type of one record. */
  readonly name: string;
  /** UN/ECE Recommendation 20: SEC second, C62 one, 4L megabyte, MON month. */
  readonly unit: 'SEC' | 'C62' | '4L' | 'MON';
  /** In US dollars; the second holds in the history's second year. */
  /** What its records are counted in. */
  readonly counts: QuantityUnit;
  readonly rates: readonly [number, number];
  readonly records: readonly [least: number, most: number];
  readonly units: readonly [least: number, most: number];
}

export const demoServices: readonly DemoService[] = [
  { code: 'voice', name: 'Voice', labels: ['Line', 'Called Number', 'Destination', 'Duration', 'Call Type'] },
  { code: 'sms', name: 'SMS', labels: ['Line', 'Recipient', 'Network', 'Messages', 'Message Type'] },
  { code: 'data', name: 'Data', labels: ['Line', 'Access Point', 'Cell Area', 'Volume', 'Data Type'] },
  {
    code: 'roaming',
    name: 'Roaming',
    labels: ['Line', 'Partner Network', 'Country', 'Units', 'Roaming Type'],
  },
  { code: 'fixed', name: 'Fixed', labels: ['Connection', 'Product', 'Contract', 'Months', 'Charge Type'] },
];

const type = (
  service: ServiceCode,
  code: string,
  [charge, name]: readonly [charge: string, name: string],
  unit: DemoType['unit'],
  rates: DemoType['rates'],
  records: DemoType['records'],
  units: DemoType['units'],
): DemoType => ({
  service,
  code,
  charge,
  name,
  unit,
  rates,
  records,
  units,
  counts: unitOf(unit) ?? 'message',
});

export const demoTypes: readonly DemoType[] = [
  type('voice', 'national', ['National calls', 'National call'], 'SEC', [9, 9], [5, 10], [8, 1500]),
  type('voice', 'mobile', ['Calls to mobiles', 'Call to mobile'], 'SEC', [14, 15], [5, 11], [6, 980]),
  type(
    'voice',
    'international',
    ['International calls', 'International call'],
    'SEC',
    [62, 65],
    [2, 7],
    [20, 1500],
  ),
  type('voice', 'freephone', ['Freephone calls', 'Freephone call'], 'SEC', [0, 0], [1, 4], [30, 900]),
  type('sms', 'text', ['Text messages', 'Text message'], 'C62', [450, 450], [6, 13], [1, 1]),
  type('sms', 'picture', ['Picture messages', 'Picture message'], 'C62', [2200, 2200], [1, 4], [1, 1]),
  type('data', 'mobile-data', ['Mobile data', 'Mobile data'], '4L', [40, 35], [8, 13], [4, 900]),
  type('roaming', 'roaming-call', ['Roaming calls', 'Roaming call'], 'SEC', [75, 75], [2, 6], [15, 700]),
  type('roaming', 'roaming-data', ['Roaming data', 'Roaming data'], '4L', [450, 420], [2, 8], [1, 90]),
  type('fixed', 'line-rental', ['Line rental', 'Line rental'], 'MON', [249_000, 265_000], [1, 1], [1, 1]),
  type(
    'fixed',
    'broadband',
    ['Fibre broadband', 'Fibre broadband'],
    'MON',
    [490_000, 490_000],
    [1, 1],
    [1, 1],
  ),
  type('fixed', 'mobile-plan', ['Mobile plan', 'Mobile plan'], 'MON', [150_000, 155_000], [1, 1], [1, 1]),
];

/** A type by its code. */
export function demoType(code: string): DemoType {
  const found = demoTypes.find((one) => one.code === code);
  if (found === undefined) throw new RangeError(`no type ${code}`);
  return found;
}

/** What one unit costs, ten-thousandths of the brand's currency; what costs something never costs nothing. */
export function rateOf(one: DemoType, brand: Pick<DemoBrand, 'pricePercent'>, isSecondYear: boolean): number {
  const dollars = one.rates[isSecondYear ? 1 : 0];
  return dollars === 0 ? 0 : Math.max(1, Math.round((dollars * brand.pricePercent) / 100));
}

export const serviceId = (resellerId: number, code: ServiceCode): string =>
  fixedId(`service ${resellerId} ${code}`);
export const typeId = (resellerId: number, one: Pick<DemoType, 'service' | 'code'>): string =>
  fixedId(`type ${resellerId} ${one.service} ${one.code}`);
