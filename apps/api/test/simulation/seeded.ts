/** Long runs are `npm run prove`; `npm test` takes a few of each. */
export const PROVES = process.env['PROVE'] === '1';
export const SEED = Number(process.env['SIMULATION_SEED'] ?? 20_261_121);

/** mulberry32: small, and the same numbers for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** So many of them, the same for the same seed and in their order; all when the run proves. */
export function someOf<T>(all: readonly T[], n: number, seed = SEED): T[] {
  if (PROVES) return [...all];
  const random = randomFrom(seed);
  const drawn = all.map((one, at) => ({ one, at, by: random() })).toSorted((a, b) => a.by - b.by);
  return drawn
    .slice(0, n)
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
