import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { forCustomer } from '../../db/row-security/for-customer.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { Brand } from '../brand/service.ts';
import * as payments from '../payments/queries.ts';
import { type GatewayAccount, payStatusOf } from '../payments/service.ts';
import { presentDetails } from './details.ts';
import { type Opened, openLink, type PublicPayDeps } from './link.ts';
import { presentOnce } from './one-debit.ts';
import { pausedUntil } from './pause.ts';
import * as queries from './queries.ts';
import { aboutAttempt } from './service.ts';

/** How long a page may wait to bring its payment along. */
const BRINGS_WITHIN_MS = 300;

/** What the page of a valid link is served with. */
export interface PayPage {
  readonly brand: Brand;
  readonly account: GatewayAccount | undefined;
  /** Undefined: the browser asks, and is told what is wrong or waits for the gateway with something to look at. */
  readonly payment: PaymentInfo | undefined;
}

/**
 * Looks a link up for its page. Never fails and asks no gateway about an attempt: the page comes in any case.
 * @param hasReturned the payer comes back from the bank: the browser first asks how that ended
 */
export async function payPageOf(
  deps: PublicPayDeps,
  token: string,
  hasReturned: boolean,
): Promise<PayPage | undefined> {
  const opened = await openLink(deps, token).catch(() => undefined);
  if (opened === undefined) return undefined;
  const found = hasReturned
    ? undefined
    : await withTimeout(
        BRINGS_WITHIN_MS,
        forCustomer(opened.scope.customerId, () => settledPayment(deps, opened, token)).catch(
          () => undefined,
        ),
        undefined,
      );
  return { brand: opened.brand, account: opened.account, payment: found };
}

/** The payment info of an invoice without an open attempt; none while it is paused, whose end is said in the reader's time. */
async function settledPayment(
  deps: PublicPayDeps,
  opened: Opened,
  token: string,
): Promise<PaymentInfo | undefined> {
  const { scope, invoiceId, brand, account } = opened;
  const [status, attempt] = await Promise.all([
    payStatusOf(deps, opened),
    payments.findLatestAttempt(deps.db, scope, invoiceId),
  ]);
  if (attempt !== undefined && isOpen(attempt.state)) return undefined;
  const row = await queries.findPayable(deps.db, scope, invoiceId);
  const paused = attempt && (await pausedUntil(deps.db, scope, invoiceId, deps.clock.now()));
  if (row === undefined || paused !== undefined) return undefined;
  const seen = await aboutAttempt(deps, opened, attempt);
  const bank = presentOnce(row, brand, account);
  return presentDetails({ uid: token, row, brand, account, ...status, ...seen, paused, bank });
}
