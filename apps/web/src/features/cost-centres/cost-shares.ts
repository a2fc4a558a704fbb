import type { CostCentreCost, CostCentreSummary } from '@counterfoil/contract/cost-centres.ts';
import { formatDecimal, parseMoney, sumMoney } from '@counterfoil/domain/money/money.ts';

/** Per cent of what all cost centres cost together, credits aside; a cost centre with more credits than costs has 0. */
export function shareOf(row: CostCentreCost, all: readonly CostCentreCost[]): number {
  const costs = all.reduce((sum, { total }) => sum + Math.max(total, 0), 0);
  return costs === 0 ? 0 : (Math.max(row.total, 0) / costs) * 100;
}

/** The exact sum of the cost centres, as text. */
export const allocatedTotal = ({
  currency,
  costCentres,
}: Pick<CostCentreSummary['currencies'][number], 'currency' | 'costCentres'>): string =>
  formatDecimal(
    sumMoney(
      costCentres.map(({ total }) => parseMoney(String(total), currency)),
      currency,
    ),
  );

/** The brand's currency before the others. */
export const ownFirst = <Part extends { readonly currency: string }>(
  parts: readonly Part[],
  own: string,
): readonly Part[] => [
  ...parts.filter(({ currency }) => currency === own),
  ...parts.filter(({ currency }) => currency !== own),
];
