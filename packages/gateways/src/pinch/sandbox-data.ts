/** What Pinch's documentation says of refusals, keys and test cards; and what its sandbox remembers. */
import type { Collection, Store } from '@counterfoil/sandbox/store.ts';

export const gateway = 'pinch';

/** A request's properties, their names in lower case. */
export type Body = Readonly<Record<string, unknown>>;

// ---- Refusals ----

/** A request that is answered without being carried out. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body?: unknown) {
    super(`status ${status}`);
    this.status = status;
    this.body = body;
  }

  /** The common form: 400 with a list. */
  static of(...errors: readonly (readonly [property: string, message: string])[]): Refusal {
    return new Refusal(
      400,
      errors.map(([propertyName, errorMessage]) => ({
        propertyName,
        errorMessage,
        attemptedValue: null,
        customState: null,
        severity: 0,
        errorCode: null,
      })),
    );
  }
}

// ---- Properties of a request ----

export const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
export const wholePositive = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** One nonce or several. @throws {Refusal} */
export function noncesOf(given: unknown): readonly string[] {
  const nonces = [given ?? []].flat();
  const isGood = (nonce: unknown): nonce is string =>
    typeof nonce === 'string' && nonce.length > 0 && nonce.length <= 250;
  if (!nonces.every(isGood) || nonces.join('').length > 4_000)
    throw Refusal.of(['Nonce', 'A nonce has at most 250 characters, all together 4000.']);
  return nonces;
}

// ---- Keys of this sandbox ----

export const secretOf = (merchant: string): string => `sk_test_${merchant}`;

/** Whose page asks for a token of a card. @throws {Refusal} */
export function merchantOfKey({ publishablekey: key }: Body, mode: string): string {
  const [, merchant] = /^pk_test_(\w{1,60})$/.exec(String(key)) ?? [];
  if (merchant === undefined || mode !== 'test')
    throw Refusal.of(['PublishableKey', `Invalid publishable key: ${String(key).slice(0, 80)}`]);
  return merchant;
}

// ---- Test data ----

const countries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['4111 1111 1111 1111', '5105 1051 0510 5100', '4000 0055 4000 0008', '3714 4963 5398 431'].map(
      (number) => [number.replaceAll(' ', ''), 'NZ'],
    ),
  ),
  ...Object.fromEntries(
    ['4000 0566 5566 5556', '5200 8282 8282 8210', '5555 5555 5555 4444'].map((number) => [
      number.replaceAll(' ', ''),
      'US',
    ]),
  ),
};

const schemes: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
];

const dishonours = new Set([
  'insufficient-funds',
  'temporary-problem',
  'blocked-by-bank',
  'invalid-card',
  'unsupported-card',
  'technical-error',
  'general-decline',
]);

/** `#<code>` in a description or a payer's first name forces a failure. */
export const ordered = (...texts: readonly string[]): string | undefined =>
  texts
    .flatMap((text) => [...text.matchAll(/#([a-z-]+)/g)].map(([, code = '']) => code))
    .find((code) => dishonours.has(code));

export const schemeOf = (number: string): string =>
  schemes.find(([pattern]) => pattern.test(number))?.[1] ?? 'unknown';
export const originOf = (number: string): string => countries[number] ?? 'AU';

// ---- What is remembered: never a number, and never a code ----

export interface Card {
  readonly cardHolderName: string;
  readonly displayCardNumber: string;
  /** The first moment of its last month. */
  readonly expiryDate: string;
  readonly cardScheme: string;
  readonly origin: string;
}

export interface Source extends Card {
  readonly id: string;
  readonly creditCardToken: string;
}

export interface Payer {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly emailAddress: string;
  readonly sources: readonly Source[];
}

export interface Payment {
  readonly id: string;
  readonly attemptId: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly status: string;
  readonly isSurcharged: boolean;
  readonly dishonourType: string | null;
  readonly payer: Pick<Payer, 'id' | 'firstName' | 'lastName' | 'emailAddress'>;
  readonly source: Source;
  readonly metadata: string | null;
  readonly nonce: readonly string[];
  readonly transactionDate: string;
  readonly refunded: number;
}

export interface Refund {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: 'requested' | 'completed';
  readonly reasonForRefund: string | null;
  readonly requestedDate: string;
  readonly completedDate: string | null;
  readonly nonce: string | null;
}

export interface StoredEvent {
  readonly account: string;
  readonly id: string;
  readonly type: string;
  readonly eventDate: string;
  readonly metadata: object;
  readonly data: object;
}

/** What a nonce was first answered with. */
export type First = object;

export const eventsOf = (store: Store): Collection<StoredEvent> =>
  store.collection<StoredEvent>('pinch/event');

/** As answers show it: what happened to it stands in the last of its attempts. */
export function shownPayment({ refunded: _refunded, source, ...payment }: Payment): object {
  const { id, amount, currency, status, dishonourType, attemptId } = payment;
  const totalFee = Math.round(amount * 0.0195 + 30);
  return {
    ...payment,
    id,
    applicationFee: 0,
    totalFee,
    sourceType: 'credit-card',
    estimatedTransferDate: null,
    actualTransferDate: null,
    subscription: null,
    cancellationReason: null,
    attempts: [
      {
        id: attemptId,
        amount,
        status,
        source: shownSource(source),
        dishonour: dishonourType === null ? null : { type: dishonourType },
        settlement: null,
        fees: { transactionFee: totalFee, applicationFee: 0, totalFee, currency, taxRate: 0.1 },
      },
    ],
  };
}

export const shownSource = (source: Source): object => ({
  ...source,
  sourceType: 'credit-card',
  bankAccountNumber: null,
  bankAccountBsb: null,
  bankAccountName: null,
  expiryDate: source.expiryDate.replace('Z', ''),
  funding: 'credit',
});

export const shownRefund = (refund: Refund): object => ({
  ...refund,
  refundFeeCharged: 0,
  submittedDate: null,
  transferId: null,
});

/** Test merchants take Australian dollars; those whose name ends in `nz` New Zealand ones. */
export const currencyOf = (merchant: string): string => (merchant.endsWith('nz') ? 'NZD' : 'AUD');
