import { isPositive } from '@counterfoil/domain/money/money.ts';
import { methodText } from '@counterfoil/domain/paying/method-text.ts';
import type { GatewayState, MethodKind, OneTimeInput } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import { methodForCharge } from '../payment-methods/service.ts';
import { type GatewayAccount, PaymentTerms, type Price, type QuotedCharge } from '../payments/service.ts';
import type { Chosen } from './form.ts';
import type { PricedInvoices } from './quote.ts';
import type { BulkPayDeps, Payer } from './service.ts';

/** A method as an attempt takes it. */
export interface Method extends Pick<QuotedCharge['charge'], 'source' | 'method' | 'methodShown'> {
  readonly kind: MethodKind;
  readonly pay: OneTimeInput | { readonly saved: GatewayState };
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
      const source = { by: 'token', token: chosen.token } as const;
      terms.refuse({ kind: 'card', source, currency });
      return { kind: 'card', source, pay: { token: chosen.token } };
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

/** The price with the fee of one kind of method. @throws {AppError} where there is nothing to take */
export function priceWith({ total }: PricedInvoices, kind: MethodKind, { brand, account }: Payer): Price {
  if (!isPositive(total)) throw new AppError('payment.quoteChanged');
  return new PaymentTerms(brand, account).price(total, kind);
}
