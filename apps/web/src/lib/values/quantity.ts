import { durationText, unitOf, writtenUnitLabel } from '@counterfoil/domain/money/quantity.ts';
import { parseRate } from '@counterfoil/domain/money/rate.ts';
import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import { type Amount, formatNumber } from '../../text/format.ts';

/**
 * A quantity with what it is counted in, as letters have it too: '2:37:11', '415 MB', '1 message'. The plain number where
 * that is not known; bytes in the unit that suits them.
 * @param unit as `domain/money/quantity.ts` names it, or as a bill writes it; null: not known
 */
export function formatQuantity(quantity: Amount, unit: string | null): string {
  const known = unit === null ? null : unitOf(unit);
  if (known === 'byte') return formatBytes(Number(quantity)).replace(' ', '\u00a0').replace('-', '\u2212');
  const time = known && durationText(parseRate(String(quantity), 'round'), known, formatNumber);
  if (time) return time;
  const text = formatNumber(quantity);
  const label = unit === null ? '' : writtenUnitLabel(unit, Math.abs(Number(quantity)) === 1);
  return label === '' ? text : `${text}\u00a0${label}`;
}
