import { bytesToOverwrite, type SecretBytes, secretBytes } from '@counterfoil/gateways/kit/secret-bytes.ts';
import type { SecretName } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { Secrets } from '../../secrets.ts';
import type { LiftedValue } from './lift-numbers.ts';

/** Members of a body that hold numbers, and what each of them is. */
export type NumberMembers = Readonly<Record<string, SecretName>>;

/** The numbers of a method that is used once, as a body has sent them. */
export interface SentNumbers {
  readonly secrets: Readonly<Partial<Record<SecretName, SecretBytes>>>;
  /**
   * By which the same number is known again, without anybody being able to try numbers against it: keyed, base64. The security code
   * has no part in it: nothing made of it may be stored.
   */
  readonly digest: string;
}

interface FoundNumber {
  readonly member: string;
  /** The very bytes of `secret`. */
  readonly digits: Uint8Array;
  readonly secret: SecretBytes;
}

/** What stands in a member that does not read like its number. */
const WRONG: Readonly<Record<SecretName, string>> = {
  number: 'is no card number',
  code: 'is no security code',
  account: 'is no account number',
};

const [SPACE, DASH, ZERO, NINE] = [0x20, 0x2d, 0x30, 0x39] as const;
const AMEX_DIGITS = 15;

/**
 * The numbers of one request. Nothing but this holds them until they are handed on, and what is left of them is overwritten when
 * the request ends.
 */
export class RequestNumbers {
  readonly #members: NumberMembers;
  readonly #values: ReadonlyMap<string, LiftedValue>;
  readonly #secrets: SecretBytes[] = [];
  /** The handler has begun, and overwrites what is left when it ends. */
  isHandled = false;

  constructor(members: NumberMembers, values: ReadonlyMap<string, LiftedValue>) {
    this.#members = members;
    this.#values = values;
  }

  /** Whether a member has something in it that was lifted. */
  holds(member: unknown): boolean {
    const value = this.#lifted(member);
    return value !== undefined && value.bytes.length > 0;
  }

  /** What stands in a declared member as text, because it was not lifted: a ciphertext. '' where there is none. */
  ciphertextIn(value: string | null | undefined): string {
    return this.#lifted(value) === undefined ? (value?.trim() ?? '') : '';
  }

  /** The first declared member of a body with something in it. */
  memberIn(body: Readonly<Record<string, unknown>>): string | undefined {
    return Object.keys(this.#members).find((member) => this.holds(body[member]));
  }

  /**
   * Refuses numbers in any member but those of the body itself that are declared.
   * @throws {AppError} request.invalid, naming the member
   */
  refuseElsewhere(body: unknown, path: readonly string[] = []): void {
    if (this.#values.size === 0 || typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      const here = [...path, name];
      const isDeclared = path.length === 0 && Object.hasOwn(this.#members, name);
      if (!isDeclared && this.holds(value)) throw wrong(here.join('.'), 'holds a card or account number');
      this.refuseElsewhere(value, here);
    }
  }

  /**
   * The numbers of a validated body; blanks and dashes between digits are left out.
   * @returns undefined where it has none
   * @throws {AppError} request.invalid for what is no number of its kind, naming the member
   */
  sentIn(body: Readonly<Record<string, unknown>>, keys: Pick<Secrets, 'digest'>): SentNumbers | undefined {
    const found = new Map<SecretName, FoundNumber>();
    for (const [member, name] of Object.entries(this.#members)) {
      const value = this.#lifted(body[member]);
      if (value === undefined || value.bytes.length === 0) continue;
      if (found.has(name)) throw wrong(member, 'is there already');
      const digits = digitsOf(value.bytes);
      const secret = secretBytes(digits);
      this.#secrets.push(secret);
      found.set(name, { member, digits, secret });
    }
    if (found.size === 0) return undefined;
    const number = found.get('number')?.digits;
    for (const [name, { member, digits }] of found)
      if (!isNumber(name, digits, number)) throw wrong(member, WRONG[name]);
    const digestOf = (name: SecretName) =>
      keys.digest(found.get(name)?.digits ?? new Uint8Array(), `number:${name}`).toString('base64');
    return {
      secrets: Object.fromEntries([...found].map(([name, { secret }]) => [name, secret])),
      digest: `${digestOf('number')} ${digestOf('account')}`,
    };
  }

  /** Overwrites what was not handed on. */
  destroy(): void {
    for (const { bytes } of this.#values.values()) bytes.fill(0);
    for (const secret of this.#secrets) secret.destroy();
  }

  #lifted(value: unknown): LiftedValue | undefined {
    return typeof value === 'string' ? this.#values.get(value) : undefined;
  }
}

const wrong = (path: string, message: string): AppError =>
  new AppError('request.invalid', { fields: [{ path, message }] });

/** The bytes without blanks and dashes. */
function digitsOf(bytes: Uint8Array): Uint8Array {
  const isDropped = (byte: number) => byte === SPACE || byte === DASH;
  const digits = bytesToOverwrite(bytes.reduce((size, byte) => size + (isDropped(byte) ? 0 : 1), 0));
  let at = 0;
  for (const byte of bytes) {
    if (isDropped(byte)) continue;
    digits[at] = byte;
    at += 1;
  }
  return digits;
}

function isNumber(name: SecretName, digits: Uint8Array, number: Uint8Array | undefined): boolean {
  if (!digits.every((byte) => byte >= ZERO && byte <= NINE)) return false;
  const { length } = digits;
  switch (name) {
    case 'number':
      return length >= 12 && length <= 19 && passesLuhnBytes(digits);
    case 'code':
      return number === undefined
        ? length === 3 || length === 4
        : length === (number.length === AMEX_DIGITS ? 4 : 3);
    case 'account':
      return length >= 4 && length <= 17;
  }
}

/** Check digit of ISO/IEC 7812-1, over the bytes of digits. */
function passesLuhnBytes(digits: Uint8Array): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = (digits.at(-1 - index) ?? ZERO) - ZERO;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
