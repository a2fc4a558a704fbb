import type { TypedNumbers } from '@counterfoil/gateways/port/browser.ts';
import type { SentMethod } from './use-entry-form.ts';

/** Members of a paying call that tell what pays. Numbers are in it only while it is being sent. */
export interface PayMembers {
  readonly cardToken?: string;
  readonly paymentMethodId?: string;
  readonly cardNumber?: string;
  readonly expirationDate?: string;
  readonly cardCode?: string;
}

/** Of a paying call, by the specification's names (payments §7). */
export function payMembers(kind: 'card' | 'bank', sent: SentMethod): PayMembers {
  if ('token' in sent) return kind === 'card' ? { cardToken: sent.token } : { paymentMethodId: sent.token };
  return 'numbers' in sent ? cardNumbers(sent.numbers, 'cardCode') : {};
}

/** Of a call that saves a card. */
export function saveMembers(sent: SentMethod): {
  readonly token?: string;
  readonly cardNumber?: string;
  readonly expirationDate?: string;
  readonly cvc?: string;
} {
  if ('token' in sent) return { token: sent.token };
  return 'numbers' in sent ? cardNumbers(sent.numbers, 'cvc') : {};
}

/** @param code what the call names the security code */
function cardNumbers(
  { cardNumber, expirationDate, cardCode }: TypedNumbers,
  code: 'cardCode' | 'cvc',
): Readonly<Record<string, string>> {
  return {
    ...(cardNumber !== undefined && { cardNumber }),
    ...(expirationDate !== undefined && { expirationDate }),
    ...(cardCode !== undefined && { [code]: cardCode }),
  };
}
