import type { BulkPayRequest } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { BillingOwner } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { Brand } from '../brand/service.ts';
import { type Entered, isEntered } from '../entries/service.ts';
import { checkReceiptAddress, ownerTyped } from '../payments/service.ts';

/** How the payer wants to pay; neither where credit pays all. */
export type Chosen =
  | { readonly by: 'saved'; readonly id: string }
  | { readonly by: 'token'; readonly entered: Entered; readonly owner: BillingOwner }
  | { readonly by: 'nothing' };

export interface BulkForm {
  readonly chosen: Chosen;
  readonly email: string | null;
}

const missing = (path: string) => ({ fields: [{ path, message: 'missing' }] });

/** Checks what the payer chose and typed against what brand and gateway ask for. @throws {AppError} */
export function checkBulkForm(body: BulkPayRequest, entered: Entered, brand: Brand): BulkForm {
  const email = checkReceiptAddress(body.email);
  // BPOINT's body names the saved method twice: `cardToken` is the `token` of its `bPointCard`, which is our id (payments §7).
  if (body.cardId !== undefined && entered.token !== '' && entered.token !== body.cardId) {
    throw new AppError('request.invalid', {
      fields: [{ path: 'cardToken', message: 'there is a saved method beside it' }],
    });
  }
  if (body.cardId !== undefined) return { chosen: { by: 'saved', id: body.cardId }, email };
  if (!isEntered(entered)) return { chosen: { by: 'nothing' }, email };
  // The form of a new card: its holder is always asked for (payments §2), the address where the brand wants it.
  if ((body.cardHolder?.trim() ?? '') === '')
    throw new AppError('payment.fieldMissing', missing('cardHolder'));
  if (brand.settings.billingAddressRequired && body.billingAddress === undefined)
    throw new AppError('payment.fieldMissing', missing('billingAddress'));
  return { chosen: { by: 'token', entered, owner: ownerTyped(body) }, email };
}
