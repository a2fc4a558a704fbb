/** Above this share of what there is, a meter warns. */
const WARN_ABOVE = 0.9;

export interface MeterState {
  /** Length of the bar in percent of the track. */
  readonly share: number;
  readonly tone: 'plain' | 'warning';
  /** What is left; below zero: how much more was used than there is. */
  readonly left: number;
}

/** How a consumption stands to a quantity; both have at most six decimals, and so has what is left. */
export function meterState(consumption: number, quantity: number): MeterState {
  const left = Number((quantity - consumption).toFixed(6));
  const ratio = quantity > 0 ? consumption / quantity : consumption > 0 ? 1 : 0;
  return {
    share: Math.min(1, Math.max(0, ratio)) * 100,
    tone: ratio > WARN_ABOVE ? 'warning' : 'plain',
    left,
  };
}
