/** Numbers that are the same in every run of the same seed. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  integer(below: number): number;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** Mulberry32. @param seed any whole number */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    oneIn: (times) => integer(times) === 0,
    pick: (from) => from[integer(from.length)] ?? from[0],
  };
}
