import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import { brandUrl } from '../brand/service.ts';
import { prepareEntry } from '../entries/service.ts';
import { PaymentTerms, payableAccount } from '../payments/service.ts';
import { settledAnswer } from './present.ts';
import { type BulkPayDeps, openSession, type Payer } from './service.ts';

/**
 * Prepares at the gateway the form of a new card that pays a session once.
 * @throws {AppError} payment.unknownIntent, payment.quoteChanged once it is settled, and where no card is taken so
 */
export async function prepareForSession(
  deps: BulkPayDeps,
  payer: Payer,
  { uid, kind }: { readonly uid: string; readonly kind: MethodKind },
): Promise<PreparedEntry> {
  const { scope, brand } = payer;
  const session = await openSession(deps, scope, uid);
  if (settledAnswer(session) !== undefined) throw new AppError('payment.quoteChanged');
  const account = await payableAccount(deps, payer);
  const terms = new PaymentTerms(brand, account);
  // What pays a session once is a card; a bank account is saved first.
  if (kind === 'bank') throw new AppError('paymentMethod.notOffered');
  terms.refuse({ kind, source: { by: 'token' }, currency: session.currency });
  return prepareEntry(deps, {
    scope,
    account,
    use: { purpose: 'payOnce', sessionId: session.id },
    kind,
    amount: terms.price(money(session.total_minor, session.currency), kind).total,
    returnTo: brandUrl(brand, deps.publicUrl, '/bulk-pay'),
    callbackUrl: (id) => brandUrl(brand, deps.publicUrl, `/v1/entries/${id}/callback`),
  });
}
