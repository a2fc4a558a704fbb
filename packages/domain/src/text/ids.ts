/** Random bytes are drawn in blocks: one call per id would dominate an import of a million rows. */
const BLOCK = 4096;
const block = new Uint8Array(BLOCK);
let used = BLOCK;

function randomBytes(count: number): Uint8Array {
  if (used + count > BLOCK) {
    globalThis.crypto.getRandomValues(block);
    used = 0;
  }
  const bytes = block.slice(used, used + count);
  block.fill(0, used, used + count); // what was handed out is not kept in memory
  used += count;
  return bytes;
}

interface Sequence {
  ms: number;
  counter: number;
}

const MAX_COUNTER = 0xfff;
const byClock: Sequence = { ms: -1, counter: 0 };
const byCaller: Sequence = { ms: -1, counter: 0 };
/** The time last asked for by a caller, which `byCaller` may have run ahead of. */
let lastGiven = -1;

/** A random start in the lower half leaves at least 2,048 ids in the same millisecond before time is borrowed. */
const startCounter = (): number => {
  const [high = 0, low = 0] = randomBytes(2);
  return ((high << 8) | low) & 0x7ff;
};

function advance(sequence: Sequence, ms: number): void {
  if (ms !== sequence.ms) {
    sequence.ms = ms;
    sequence.counter = startCounter();
  } else if (sequence.counter === MAX_COUNTER) {
    sequence.ms += 1;
    sequence.counter = startCounter();
  } else {
    sequence.counter += 1;
  }
}

/**
 * A new UUIDv7 (RFC 9562), lower case. Ids of one process rise strictly, even when its clock is set back.
 * @param now milliseconds since 1970 the id shall carry, for back-dated rows and fake clocks; such ids rise among
 *   each other as long as the given times do not fall
 * @throws {RangeError} when `now` is no whole number of 48 bits
 */
export function newId(now?: number): string {
  if (now === undefined) {
    advance(byClock, Math.max(Date.now(), byClock.ms));
    return compose(byClock);
  }
  if (!Number.isInteger(now) || now < 0 || now > 0xffff_ffff_fffe) {
    throw new RangeError('The time of an id must be whole milliseconds of 48 bits');
  }
  // A millisecond that overflowed has borrowed from the next; only a time that falls is followed back.
  advance(byCaller, now < lastGiven ? now : Math.max(now, byCaller.ms));
  lastGiven = now;
  return compose(byCaller);
}

function compose({ ms, counter }: Sequence): string {
  const time = ms.toString(16).padStart(12, '0');
  const sub = counter.toString(16).padStart(3, '0');
  const tail = randomBytes(8);
  tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(tail, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sub}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/**
 * The least id that carries a time: every id made at that moment or later is above it.
 * @param ms milliseconds since 1970
 */
export function firstIdAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether a text has the form of an id, so that it may be put into a query. Any UUID passes, because usage
 * records carry ids made from a hash.
 */
export const isId = (text: string): boolean => uuid.test(text);

const REF_LENGTH = 18;
const refAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A new payment reference: 18 random characters of 0-9 and A-Z (93 bits), the shortest form any gateway takes. */
export function newRef(): string {
  let ref = '';
  while (ref.length < REF_LENGTH) {
    for (const byte of randomBytes(REF_LENGTH)) {
      // 252 is the largest multiple of 36 in a byte; the rest would favour the first characters.
      if (byte < 252 && ref.length < REF_LENGTH) ref += refAlphabet[byte % 36];
    }
  }
  return ref;
}

/** Whether a text is a payment reference of ours. */
export const isRef = (text: string): boolean => /^[0-9A-Z]{18}$/.test(text);

const base64Url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * A new unguessable token in base64url without padding.
 * @param bytes random bytes in it, 16 (128 bits, 22 characters) to 1,024
 * @throws {RangeError} for other lengths: fewer bits would be guessable
 */
export function newToken(bytes = 16): string {
  if (!Number.isInteger(bytes) || bytes < 16 || bytes > 1024)
    throw new RangeError('A token has 16 to 1024 bytes');
  let token = '';
  let bits = 0;
  let count = 0;
  for (const byte of randomBytes(bytes)) {
    bits = (bits << 8) | byte;
    count += 8;
    while (count >= 6) {
      count -= 6;
      token += base64Url[(bits >> count) & 63];
    }
    bits &= (1 << count) - 1;
  }
  return count > 0 ? token + base64Url[(bits << (6 - count)) & 63] : token;
}
