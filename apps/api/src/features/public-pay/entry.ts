import type { PreparedEntry } from '@counterfoil/contract/entry-config.ts';
import { AppError } from '../../app-error.ts';
import { brandUrl } from '../brand/service.ts';
import { prepareEntry } from '../entries/service.ts';
import { PaymentTerms, payableAccount } from '../payments/service.ts';
import { dueOf } from './details.ts';
import { openLink, type PublicPayDeps } from './link.ts';
import { debitOnce } from './one-debit.ts';
import { refusePaused } from './pause.ts';
import * as queries from './queries.ts';
import { refuseUnpayable } from './quote.ts';

/**
 * Prepares at the gateway the form of a method that pays a link's invoice once.
 * @throws {AppError} for a link that opens nothing, an invoice that cannot be paid, and a kind that is not taken here
 */
export async function prepareForLink(
  deps: PublicPayDeps,
  token: string,
  { kind, scheme }: { readonly kind: 'card' | 'bank'; readonly scheme?: string | undefined },
): Promise<PreparedEntry> {
  const opened = await openLink(deps, token);
  const { scope, invoiceId, brand } = opened;
  const row = await queries.findPayable(deps.db, scope, invoiceId);
  if (row === undefined) throw new AppError('payLink.notFound');
  refuseUnpayable(row, brand);
  await refusePaused(deps.db, scope, invoiceId, deps.clock.now());
  const account = await payableAccount(deps, opened);
  const terms = new PaymentTerms(brand, account);
  if (kind === 'bank' && debitOnce(brand, account, row.currency)?.scheme !== scheme)
    throw new AppError('paymentMethod.notOffered');
  terms.refuse({
    kind,
    source: { by: 'token', ...(scheme !== undefined && { scheme }) },
    currency: row.currency,
  });
  return prepareEntry(deps, {
    scope,
    account,
    use: { purpose: 'payOnce', invoiceId },
    kind,
    scheme,
    amount: terms.price(dueOf(row), kind).total,
    returnTo: brandUrl(brand, deps.publicUrl, `/pay/${token}`),
    callbackUrl: (id) => brandUrl(brand, deps.publicUrl, `/v1/entries/${id}/callback`),
  });
}
