/** Active ISO 4217 currencies that have not two decimals, by how many they have. */
export const otherDecimals = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

/**
 * Number of decimals of a currency; of what is no code, two. For pages that show money and know no other currency than
 * what they were told: the table of all of them is too large for those.
 */
export function decimalsOf(code: string): number {
  if (code.length !== 3) return 2;
  if (otherDecimals[0].includes(code)) return 0;
  return otherDecimals[3].includes(code) ? 3 : 2;
}
