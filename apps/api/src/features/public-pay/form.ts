import type { StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import type { PayRequest } from '@counterfoil/contract/public-pay.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import { checkReceiptAddress } from '../payments/payer-form.ts';

/** What pays by a link: a card, or an account of a scheme. */
export interface LinkMethod {
  readonly kind: MethodKind;
  readonly source: { readonly by: 'token'; readonly token: string; readonly scheme?: string };
}

/** What the payer pays with. @throws {AppError} where that is both */
export function methodOf({ cardToken, paymentMethodId, paymentMethodType = '' }: PayRequest): LinkMethod {
  const token = cardToken?.trim() ?? '';
  const account = paymentMethodId?.trim() ?? '';
  if (account === '') return { kind: 'card', source: { by: 'token', token } };
  if (token !== '')
    throw new AppError('request.invalid', {
      fields: [{ path: 'cardToken', message: 'there is an account beside it' }],
    });
  return { kind: 'bank', source: { by: 'token', token: account, scheme: paymentMethodType } };
}

export interface PayForm {
  readonly email: string | null;
  /** Of the account. */
  readonly holder: string;
}

/** Checks what the payer typed against what the brand requires. @throws {AppError} with the members at fault */
export function checkPayForm(
  body: PayRequest,
  { kind, source }: LinkMethod,
  settings: StoredBrandSettings,
): PayForm {
  const holder = body.accountHolderName?.trim() ?? '';
  const lacks = (path: string) =>
    new AppError('payment.fieldMissing', { fields: [{ path, message: 'missing' }] });
  if (source.token === '')
    throw new AppError('payment.methodMissing', { fields: [{ path: 'cardToken', message: 'missing' }] });
  // The provider has what is asked of the holder of an account; the card's form asks here.
  if (kind === 'bank' && holder === '') throw lacks('accountHolderName');
  if (kind === 'card' && settings.cardHolderRequired && (body.cardHolder?.trim() ?? '') === '')
    throw lacks('cardHolder');
  if (kind === 'card' && settings.billingAddressRequired && body.billingAddress === undefined)
    throw lacks('billingAddress');
  return { email: checkReceiptAddress(body.email), holder };
}
