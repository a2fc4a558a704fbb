import { isPositive } from '@counterfoil/domain/money/money.ts';
import { methodText } from '@counterfoil/domain/paying/method-text.ts';
import type { BillingOwner, GatewayState, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { Entered } from '../entries/service.ts';
import { methodForCharge } from '../payment-methods/service.ts';
import { type GatewayAccount, PaymentTerms, type Price, type QuotedCharge } from '../payments/service.ts';
import type { Chosen } from './form.ts';
import type { PricedInvoices } from './quote.ts';
import type { BulkPayDeps, Payer } from './service.ts';

/** A method as an attempt takes it. */
export interface Method extends Pick<QuotedCharge['charge'], 'source' | 'method' | 'methodShown'> {
  readonly kind: MethodKind;
  /** Of what is entered, the call's own part: its entry is taken with the attempt. */
  readonly pay:
    | { readonly entered: Entered; readonly owner: BillingOwner }
    | { readonly saved: GatewayState };
}

/**
 * The method the payer chose.
 * @param currency what is to be paid in
 * @throws {AppError} for one of somebody else, one that cannot be used or cannot pay in this currency, or none
 */
export async function methodOf(
  deps: BulkPayDeps,
  { scope, brand }: Payer,
  account: GatewayAccount,
  chosen: Chosen,
  currency: string,
): Promise<Method> {
  const terms = new PaymentTerms(brand, account);
  switch (chosen.by) {
    case 'nothing':
      throw new AppError('payment.methodMissing', {
        text: 'Please choose a payment method',
        fields: [{ path: 'cardId', message: 'missing' }],
      });
    case 'token': {
      const { entered, owner } = chosen;
      const source = sourceOf(entered);
      terms.refuse({ kind: 'card', source, currency });
      if (!terms.takesEntered('card', entered))
        throw new AppError('payment.methodMissing', { fields: [{ path: 'cardToken', message: 'missing' }] });
      return { kind: 'card', source, pay: { entered, owner } };
    }
    case 'saved': {
      const found = await methodForCharge(deps, scope, account, chosen.id);
      if (found === undefined) throw new AppError('paymentMethod.notFound');
      const { kind, saved, payer, shown } = found;
      const source = { by: 'saved', type: shown['type'] } as const;
      terms.refuse({ kind, source, currency });
      return {
        kind,
        source,
        pay: { saved },
        method: { id: chosen.id, saved, payer },
        methodShown: methodText(shown),
      };
    }
  }
}

/** What pays once, as the check of all ways of paying takes it. */
export const sourceOf = ({ token }: Entered) => ({ by: 'token' as const, ...(token !== '' && { token }) });

/** The price with the fee of one kind of method. @throws {AppError} where there is nothing to take */
export function priceWith({ total }: PricedInvoices, kind: MethodKind, { brand, account }: Payer): Price {
  if (!isPositive(total)) throw new AppError('payment.quoteChanged');
  return new PaymentTerms(brand, account).price(total, kind);
}
