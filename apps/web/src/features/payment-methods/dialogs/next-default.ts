import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';

/**
 * The first remaining method that can be charged: the oldest, cards before bank accounts (decisions §4).
 * @param sources the oldest of each kind first
 */
export function nextDefault(sources: readonly SavedSource[]): SavedSource | undefined {
  const usable = sources.filter(({ status, isExpired }) => status === 'ready' && !isExpired);
  return usable.find(({ kind }) => kind === 'card') ?? usable[0];
}
