import { createHash } from 'node:crypto';

/** The start of the demo world's time; ids of what has no date of its own carry it. */
export const EPOCH_MS = Date.UTC(2024, 0, 1);

/**
 * An id that is always the same for the same name, in the form of a UUIDv7.
 * @param ms the time it carries, ms since 1970
 * @param seq 0 to 4095, orders ids of the same time
 */
export function fixedId(name: string, ms = EPOCH_MS, seq = 0): string {
  const hash = createHash('sha256').update(`counterfoil demo ${name}`).digest();
  const time = ms.toString(16).padStart(12, '0');
  const sub = (seq & 0xfff).toString(16).padStart(3, '0');
  hash[0] = ((hash[0] ?? 0) & 0x3f) | 0x80;
  const tail = hash.toString('hex', 0, 8);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sub}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** A source of numbers that is the same for the same name on every machine. Not for secrets. */
export interface Random {
  /** 0 to 2^32 − 1 */
  word(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The generator sfc32, seeded with the hash of a name. */
export function seededRandom(name: string): Random {
  const seed = createHash('sha256').update(`counterfoil demo ${name}`).digest();
  let a = seed.readInt32LE(0);
  let b = seed.readInt32LE(4);
  let c = seed.readInt32LE(8);
  let counter = 1;
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warm = 0; warm < 12; warm += 1) word();
  const between = (least: number, most: number): number =>
    least + Math.floor((word() / 4_294_967_296) * (most - least + 1));
  return {
    word,
    between,
    pick(list) {
      const found = list[between(0, list.length - 1)];
      if (found === undefined) throw new RangeError('nothing to pick from');
      return found;
    },
  };
}
