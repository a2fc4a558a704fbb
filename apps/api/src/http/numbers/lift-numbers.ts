import { bytesToOverwrite, copyToOverwrite } from '@counterfoil/gateways/kit/secret-bytes.ts';

/** A value that was taken out of a JSON document before it became text. */
export interface LiftedValue {
  /** The declared member it stood in, or below. */
  readonly member: string;
  /** The string's content as UTF-8, or the number as it was written. */
  readonly bytes: Uint8Array;
  readonly writtenAs: 'string' | 'number';
}

export interface LiftedDocument {
  /** The document with a placeholder string for each value. */
  readonly json: Buffer;
  readonly values: ReadonlyMap<string, LiftedValue>;
}

/** Deeper documents are refused (`text-guard.ts`), so none deeper is read. */
const MAX_DEPTH = 64;
const MAX_NUMBER_BYTES = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
const [MINUS, PLUS, DOT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39] as const;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
/** By the character behind the backslash. */
const ESCAPES: ReadonlyMap<number, number> = new Map([
  [QUOTE, QUOTE],
  [BACKSLASH, BACKSLASH],
  [0x2f, 0x2f],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);
const LOWER_U = 0x75;

/** Thrown and caught here only; it carries nothing of the document. */
class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * Takes the values of declared members out of a JSON document, wherever they stand and however they are written: escaped,
 * named by escapes, repeated, as numbers, in arrays and objects. No text is made of them. A ciphertext stays where it is. The document itself is left as it is,
 * for its owner to overwrite.
 * @param placeholder of the n-th value, which stands in the document that is left
 * @returns undefined for what is no JSON; then nothing of it is kept
 */
export function liftNumbers(
  document: Uint8Array,
  declared: ReadonlySet<string>,
  placeholder: (index: number) => string,
): LiftedDocument | undefined {
  const scan = new Scan(document, declared, placeholder);
  try {
    return scan.document();
  } catch (error) {
    scan.forget();
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

class Scan {
  readonly #source: Uint8Array;
  readonly #declared: ReadonlySet<string>;
  readonly #placeholder: (index: number) => string;
  readonly #values = new Map<string, LiftedValue>();
  readonly #parts: Uint8Array[] = [];
  /** Up to where the document is in the parts. */
  #kept = 0;
  #at = 0;

  constructor(source: Uint8Array, declared: ReadonlySet<string>, placeholder: (index: number) => string) {
    this.#source = source;
    this.#declared = declared;
    this.#placeholder = placeholder;
  }

  document(): LiftedDocument {
    if (BYTE_ORDER_MARK.every((byte, index) => this.#source[index] === byte)) this.#at = 3;
    this.#kept = this.#at;
    this.#space();
    this.#value(undefined, 0);
    this.#space();
    if (this.#at !== this.#source.length) throw new NotJson();
    this.#parts.push(this.#source.subarray(this.#kept));
    return { json: Buffer.concat(this.#parts), values: this.#values };
  }

  forget(): void {
    for (const { bytes } of this.#values.values()) bytes.fill(0);
  }

  /** @param member the declared member the value stands in, or below */
  #value(member: string | undefined, depth: number): void {
    if (depth > MAX_DEPTH) throw new NotJson();
    const start = this.#at;
    const first = this.#source[start];
    if (first === OPEN_BRACE) this.#object(member, depth);
    else if (first === OPEN_BRACKET) this.#array(member, depth);
    else if (first === QUOTE) {
      this.#string();
      if (member !== undefined) this.#lift(member, start, 'string');
    } else if (first === 0x74) this.#word('true');
    else if (first === 0x66) this.#word('false');
    else if (first === 0x6e) this.#word('null');
    else {
      this.#number();
      if (member !== undefined) this.#lift(member, start, 'number');
    }
  }

  #object(member: string | undefined, depth: number): void {
    this.#at += 1;
    this.#space();
    if (this.#source[this.#at] === CLOSE_BRACE) {
      this.#at += 1;
      return;
    }
    for (;;) {
      const start = this.#at;
      if (this.#source[start] !== QUOTE) throw new NotJson();
      this.#string();
      const name = this.#name(start);
      this.#space();
      this.#expect(COLON);
      this.#space();
      this.#value(this.#declared.has(name) ? name : member, depth + 1);
      this.#space();
      if (this.#endsWith(CLOSE_BRACE)) return;
      this.#space();
    }
  }

  #array(member: string | undefined, depth: number): void {
    this.#at += 1;
    this.#space();
    if (this.#source[this.#at] === CLOSE_BRACKET) {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#value(member, depth + 1);
      this.#space();
      if (this.#endsWith(CLOSE_BRACKET)) return;
      this.#space();
    }
  }

  /** Steps over a comma, or over the end of a list. */
  #endsWith(close: number): boolean {
    const byte = this.#source[this.#at];
    if (byte !== COMMA && byte !== close) throw new NotJson();
    this.#at += 1;
    return byte === close;
  }

  #expect(byte: number): void {
    if (this.#source[this.#at] !== byte) throw new NotJson();
    this.#at += 1;
  }

  #word(word: string): void {
    for (let index = 0; index < word.length; index += 1) this.#expect(word.charCodeAt(index));
  }

  #space(): void {
    for (;;) {
      const byte = this.#source[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at += 1;
    }
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      const byte = this.#source[this.#at];
      if (byte === undefined || byte < 0x20) throw new NotJson();
      this.#at += 1;
      if (byte === QUOTE) return;
      if (byte === BACKSLASH) this.#escape();
    }
  }

  #escape(): void {
    const byte = this.#source[this.#at];
    this.#at += 1;
    if (byte === LOWER_U) {
      hexAt(this.#source, this.#at);
      this.#at += 4;
    } else if (byte === undefined || !ESCAPES.has(byte)) throw new NotJson();
  }

  #number(): void {
    if (this.#source[this.#at] === MINUS) this.#at += 1;
    if (this.#source[this.#at] === ZERO) this.#at += 1;
    else this.#digits();
    if (this.#source[this.#at] === DOT) {
      this.#at += 1;
      this.#digits();
    }
    const exponent = this.#source[this.#at];
    if (exponent !== 0x65 && exponent !== 0x45) return;
    this.#at += 1;
    const sign = this.#source[this.#at];
    if (sign === PLUS || sign === MINUS) this.#at += 1;
    this.#digits();
  }

  #digits(): void {
    const start = this.#at;
    while (isDigit(this.#source[this.#at])) this.#at += 1;
    if (this.#at === start) throw new NotJson();
  }

  /** Names are no secrets: text is made of all of them when the document is parsed. */
  #name(start: number): string {
    const bytes = contentOf(this.#source.subarray(start + 1, this.#at - 1));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }

  #lift(member: string, start: number, writtenAs: LiftedValue['writtenAs']): void {
    const written = this.#source.subarray(start, this.#at);
    const bytes = writtenAs === 'string' ? contentOf(written.subarray(1, -1)) : copyToOverwrite(written);
    if (isCiphertext(bytes)) return;
    const key = this.#placeholder(this.#values.size);
    this.#values.set(key, { member, bytes, writtenAs });
    this.#parts.push(this.#source.subarray(this.#kept, start), Buffer.from(JSON.stringify(key)));
    this.#kept = this.#at;
  }
}

/** Longer than any number with its blanks, and not of digits. What it hides may not be read here, so that it may be text. */
const isCiphertext = (bytes: Uint8Array): boolean =>
  bytes.length > MAX_NUMBER_BYTES && !bytes.every((byte) => isDigit(byte) || byte === MINUS || byte === 0x20);

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** The code unit of four hexadecimal digits. @throws {NotJson} */
function hexAt(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let index = at; index < at + 4; index += 1) {
    const byte = bytes[index] ?? 0;
    const lower = byte | 0x20;
    if (isDigit(byte)) unit = unit * 16 + byte - ZERO;
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
    else throw new NotJson();
  }
  return unit;
}

/**
 * What a string says, as UTF-8, from what stands between its quotes and was read as correct. A lone surrogate has no UTF-8 and
 * becomes U+FFFD.
 */
function contentOf(written: Uint8Array): Uint8Array {
  // No escape is shorter than what it stands for.
  const content = bytesToOverwrite(written.length);
  let size = 0;
  for (let at = 0; at < written.length; ) {
    const byte = written[at] ?? 0;
    const escaped = written[at + 1] ?? 0;
    if (byte !== BACKSLASH) {
      content[size] = byte;
      [size, at] = [size + 1, at + 1];
    } else if (escaped !== LOWER_U) {
      content[size] = ESCAPES.get(escaped) ?? 0;
      [size, at] = [size + 1, at + 2];
    } else {
      const unit = hexAt(written, at + 2);
      const low = isHigh(unit) && written[at + 6] === BACKSLASH && written[at + 7] === LOWER_U;
      const second = low ? hexAt(written, at + 8) : 0;
      const isPair = isLow(second);
      const point = isPair ? 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00) : unit;
      size = putUtf8(content, size, isHigh(point) || isLow(point) ? 0xfffd : point);
      at += isPair ? 12 : 6;
    }
  }
  const exact = copyToOverwrite(content.subarray(0, size));
  content.fill(0);
  return exact;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Writes a code point. @returns where the next byte goes */
function putUtf8(bytes: Uint8Array, at: number, point: number): number {
  const rest = (shift: number): number => 0x80 | ((point >> shift) & 0x3f);
  const put =
    point < 0x80
      ? [point]
      : point < 0x800
        ? [0xc0 | (point >> 6), rest(0)]
        : point < 0x10000
          ? [0xe0 | (point >> 12), rest(6), rest(0)]
          : [0xf0 | (point >> 18), rest(12), rest(6), rest(0)];
  bytes.set(put, at);
  return at + put.length;
}
