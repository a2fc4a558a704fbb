import type { TypedNumbers } from '@counterfoil/gateways/port/browser.ts';
import type { SentMethod } from './use-entry-form.ts';

/** Members that all calls have in common. */
interface EnteredMembers {
  readonly entryId?: string;
  readonly beside?: Record<string, string>;
  readonly fields?: Record<string, string>;
}

/** Members of a paying call that tell what pays. Numbers are in it only while it is being sent. */
export interface PayMembers extends EnteredMembers {
  readonly cardToken?: string;
  readonly paymentMethodId?: string;
  readonly cardNumber?: string;
  readonly expirationDate?: string;
  readonly cardCode?: string;
}

/** Of a paying call, by the specification's names (payments §7). */
export function payMembers(kind: 'card' | 'bank', sent: SentMethod): PayMembers {
  const { entered } = sent;
  return {
    ...enteredMembers(sent),
    ...('token' in entered && { [kind === 'card' ? 'cardToken' : 'paymentMethodId']: entered.token }),
    ...('numbers' in entered && numbersOf(entered.numbers, 'cardCode')),
  };
}

/** Of a call that saves a method on its gateway's own path. */
export interface SaveMembers extends EnteredMembers {
  readonly token?: string;
  readonly cardNumber?: string;
  readonly expirationDate?: string;
  readonly cvc?: string;
}

/** Of a call that saves a method; numbers of an account stand by the names of the gateway's fields. */
export function saveMembers(sent: SentMethod): SaveMembers {
  const { entered } = sent;
  return {
    ...enteredMembers(sent),
    ...('token' in entered && { token: entered.token }),
    ...('numbers' in entered && (entered.numbers.saved ?? numbersOf(entered.numbers, 'cvc'))),
  };
}

function enteredMembers({ entered, entryId }: SentMethod): EnteredMembers {
  return {
    ...(entryId !== undefined && { entryId }),
    ...('token' in entered && entered.beside && { beside: { ...entered.beside } }),
    ...('fields' in entered && { fields: { ...entered.fields } }),
  };
}

/** @param code what the call names the security code */
const numbersOf = (
  { cardNumber, expirationDate, cardCode, account }: TypedNumbers,
  code: 'cardCode' | 'cvc',
): Readonly<Record<string, string>> => ({
  ...account,
  ...(cardNumber !== undefined && { cardNumber }),
  ...(expirationDate !== undefined && { expirationDate }),
  ...(cardCode !== undefined && { [code]: cardCode }),
});
