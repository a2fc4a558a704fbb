import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import { forCustomer } from '../../db/row-security/for-customer.ts';
import { brandUrl } from '../brand/service.ts';
import { type Preparer, prepareEntry } from '../entries/service.ts';
import { PaymentTerms, payableAccount } from '../payments/service.ts';
import { dueOf } from './details.ts';
import { type Opened, openLink, type PublicPayDeps } from './link.ts';
import { debitOnce } from './one-debit.ts';
import { refusePaused } from './pause.ts';
import * as queries from './queries.ts';
import { refuseUnpayable } from './quote.ts';

/**
 * Who prepares the form of a method that pays a link's invoice once. The preparer throws for an invoice that cannot be paid,
 * and for a kind that is not taken here.
 * @throws {AppError} payLink.notFound, payLink.expired
 */
export async function linkEntry(deps: PublicPayDeps, token: string): Promise<Preparer> {
  const opened = await openLink(deps, token);
  const prepare: Preparer['prepare'] = (kind, scheme) =>
    forCustomer(opened.scope.customerId, () => prepareForLink(deps, opened, token, kind, scheme));
  return { account: opened.account, prepare };
}

async function prepareForLink(
  deps: PublicPayDeps,
  opened: Opened,
  token: string,
  kind: MethodKind,
  asked: string | undefined,
): Promise<PreparedEntry> {
  const { scope, invoiceId, brand } = opened;
  const row = await queries.findPayable(deps.db, scope, invoiceId);
  if (row === undefined) throw new AppError('payLink.notFound');
  refuseUnpayable(row, brand);
  await refusePaused(deps.db, scope, invoiceId, deps.clock.now());
  const account = await payableAccount(deps, opened);
  const terms = new PaymentTerms(brand, account);
  const offered = kind === 'bank' ? debitOnce(brand, account, row.currency)?.scheme : undefined;
  const scheme = asked ?? offered;
  if (kind === 'bank' && (scheme === undefined || scheme !== offered))
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
