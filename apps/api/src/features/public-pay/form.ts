import type { StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import type { PayRequest } from '@counterfoil/contract/public-pay.ts';
import { AppError } from '../../app-error.ts';
import { checkReceiptAddress } from '../payments/payer-form.ts';

export interface PayForm {
  readonly cardToken: string;
  readonly email: string | null;
}

/** Checks what the payer typed against what the brand requires. @throws {AppError} with the members at fault */
export function checkPayForm(body: PayRequest, settings: StoredBrandSettings): PayForm {
  const cardToken = body.cardToken?.trim() ?? '';
  if (cardToken === '')
    throw new AppError('payment.methodMissing', { fields: [{ path: 'cardToken', message: 'missing' }] });
  if (settings.cardHolderRequired && (body.cardHolder?.trim() ?? '') === '') {
    throw new AppError('payment.fieldMissing', { fields: [{ path: 'cardHolder', message: 'missing' }] });
  }
  if (settings.billingAddressRequired && body.billingAddress === undefined) {
    throw new AppError('payment.fieldMissing', { fields: [{ path: 'billingAddress', message: 'missing' }] });
  }
  return { cardToken, email: checkReceiptAddress(body.email) };
}
