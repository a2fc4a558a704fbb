import {
  addMoney,
  formatDecimal,
  type Money,
  money,
  multiplyBasisPoints,
  negateMoney,
  zero,
} from '@counterfoil/domain/money/money.ts';
import { rateFromMillionths, rateToMoney } from '@counterfoil/domain/money/rate.ts';
import { type DemoMonth, HISTORY_MONTHS, issueDay } from './calendar.ts';
import type { DemoLine } from './documents.ts';
import { fixedId } from './random.ts';
import type { DemoItem } from './subscriptions.ts';
import { type DemoType, rateOf, serviceId, typeId } from './tariff.ts';
import type { DemoRecord, UsageScope } from './usage.ts';

/** The usage of one item and type in one month. */
export interface UsageSum {
  readonly item: DemoItem;
  readonly type: DemoType;
  records: number;
  units: number;
}

const MILLIONTHS = 100n;

/** Adds up a month's records, by item and type in the order of the subscription. */
export function sumUsage(scope: UsageScope, records: readonly DemoRecord[]): readonly UsageSum[] {
  const sums = new Map<DemoItem, Map<DemoType, UsageSum>>();
  for (const { item, type, units } of records) {
    const ofItem = sums.get(item) ?? new Map<DemoType, UsageSum>();
    sums.set(item, ofItem);
    const sum = ofItem.get(type) ?? { item, type, records: 0, units: 0 };
    ofItem.set(type, sum);
    sum.records += 1;
    sum.units += units;
  }
  return scope.subscriptions.items.flatMap((item) =>
    item.types.flatMap((type) => sums.get(item)?.get(type) ?? []),
  );
}

/** The id of the charge for an item's usage of one type in one month. */
export const usageLineId = (scope: UsageScope, month: DemoMonth, item: DemoItem, type: DemoType): string =>
  fixedId(`line ${scope.customer.key} ${month.name} ${item.id} ${type.code}`, Date.parse(issueDay(month)));

/** The charges of a month: one for each item and type, its amount the sum of its records, rounded once. */
export function usageLines(
  scope: UsageScope,
  month: DemoMonth,
  sums: readonly UsageSum[],
): readonly DemoLine[] {
  const { brand, customer } = scope;
  return sums.map(({ item, type, records, units }) => {
    const rate = rateOf(type, brand, month.index >= HISTORY_MONTHS / 2);
    const isTaxed = type.service !== 'roaming' || brand.roamingTaxed;
    return {
      id: usageLineId(scope, month, item, type),
      kind: 'line',
      product: type.code.toUpperCase(),
      name: type.charge,
      details:
        type.service === 'fixed'
          ? item.description
          : `${item.description} · ${records} ${nounOf(type)}${records === 1 ? '' : 's'}`,
      serviceId: serviceId(brand.resellerId, type.service),
      typeId: typeId(brand.resellerId, type),
      itemId: item.id,
      item: item.name,
      site: item.site,
      costCentre: item.costCentre,
      agreementId: item.agreement.id,
      from: month.start,
      to: month.end,
      quantity: units,
      unit: type.unit,
      price: decimalOf(rate),
      amount: rateToMoney(rateFromMillionths(BigInt(units) * BigInt(rate) * MILLIONTHS), brand.currency),
      taxPoints: isTaxed ? brand.taxPoints : 0,
      extra: [
        `PO-${4500 + customer.ordinal}`,
        item.site,
        item.agreement.name,
        type.service,
        `Tariff ${month.index >= HISTORY_MONTHS / 2 ? 'B' : 'A'}`,
      ],
    };
  });
}

function nounOf({ unit, service }: DemoType): string {
  if (service === 'sms') return 'message';
  return unit === 'SEC' ? 'call' : 'session';
}

/** Ten-thousandths as decimal text: 265000 is '26.5000'. */
export const decimalOf = (tenThousandths: number): string =>
  `${Math.floor(tenThousandths / 10_000)}.${String(tenThousandths % 10_000).padStart(4, '0')}`;

const LOYALTY_POINTS = 500;

/** Five percent off for small customers in their second year, as an allowance on the whole document. */
export function loyaltyDiscount(
  scope: UsageScope,
  month: DemoMonth,
  lines: readonly DemoLine[],
): readonly DemoLine[] {
  if (scope.customer.profile !== 'small' || month.index < HISTORY_MONTHS / 2) return [];
  const { brand, customer } = scope;
  const taxed = lines.filter((line) => line.taxPoints === brand.taxPoints).map((line) => line.amount);
  const full = taxed.reduce((sum: Money, amount) => addMoney(sum, amount), zero(brand.currency));
  const amount = negateMoney(multiplyBasisPoints(full, LOYALTY_POINTS));
  const id = fixedId(`line ${customer.key} ${month.name} loyalty`, Date.parse(issueDay(month)));
  return [
    plainLine({
      id,
      kind: 'allowance',
      name: 'Loyalty discount',
      details: '5 %',
      amount,
      taxPoints: brand.taxPoints,
      month,
    }),
  ];
}

/** A charge that no usage stands behind: quantity one, its price the amount. */
export function plainLine(of: {
  readonly id: string;
  readonly kind: DemoLine['kind'];
  readonly name: string;
  readonly details: string;
  readonly amount: Money;
  readonly taxPoints: number;
  readonly month: DemoMonth;
}): DemoLine {
  const { id, kind, name, details, amount, taxPoints, month } = of;
  return {
    id,
    kind,
    name,
    details,
    amount,
    taxPoints,
    product: '',
    serviceId: null,
    typeId: null,
    itemId: null,
    item: '',
    site: '',
    costCentre: null,
    agreementId: null,
    from: month.start,
    to: month.end,
    quantity: 1,
    unit: 'C62',
    extra: [],
    price: formatDecimal(amount),
  };
}

/** A line taken back: its quantity and amount below zero. */
export const negatedLine = (line: DemoLine, id: string): DemoLine => ({
  ...line,
  id,
  quantity: -line.quantity,
  amount: money(-line.amount.minor, line.amount.currency),
});
