import type { PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { isPositive } from '@counterfoil/domain/money/money.ts';
import type { BillingOwner, Charge } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../../app-error.ts';
import type { Tx } from '../../../db/database.ts';
import { brandUrl } from '../../brand/service.ts';
import { inputOf, takeEntry } from '../../entries/service.ts';
import { findAttemptOfSession } from '../../payments/queries.ts';
import {
  type Asked,
  type AttemptRow,
  type GatewayAccount,
  lockCredit,
  PaymentTerms,
  type Pricing,
  type QuotedCharge,
  settleByCredit,
} from '../../payments/service.ts';
import { type Method, priceWith } from '../method.ts';
import { settledAnswer } from '../present.ts';
import * as queries from '../queries.ts';
import type { PricedInvoices } from '../quote.ts';
import { type BulkPayDeps, linesShown, type Payer, price } from '../service.ts';
import { QuoteChanged } from './session-state.ts';

/** Locks a session, its invoices and the credit, and prices them. @throws {QuoteChanged} */
async function lockAndPrice(
  tx: Tx,
  payer: Payer,
  shown: queries.SessionRow,
): Promise<{ priced: PricedInvoices; rows: queries.PayableRow[]; session: queries.SessionRow }> {
  const { scope } = payer;
  const session = await queries.lockSession(tx, scope, shown.id);
  const lines = await linesShown(tx, scope, shown.id);
  const ids = lines.map(({ invoiceId }) => invoiceId);
  const rows = await queries.lockPayables(tx, scope, ids);
  const unused = await lockCredit(tx, { customerId: scope.customerId, currency: shown.currency });
  const priced = price(payer, session, lines, rows, unused);
  return { priced, rows, session };
}

function refuseChanged(priced: PricedInvoices, shown: queries.SessionRow): void {
  if (!priced.quote.digest.equals(shown.quote_digest) || priced.lines.length === 0) throw new QuoteChanged();
}

/** A charge of a session, as far as it is known before the session is locked. */
export interface SessionCharge {
  readonly session: queries.SessionRow;
  readonly asked: Asked;
  /** The session's last attempt when the request came. */
  readonly seen: AttemptRow | undefined;
  readonly account: GatewayAccount;
  readonly method: Pick<Method, 'kind' | 'source' | 'method' | 'methodShown'>;
  readonly pay: Method['pay'] | 'page';
  /** The payer's browser. */
  readonly client?: NonNullable<Charge['client']>;
  readonly receiptEmail: string | null;
}

/** Prices a session under its locks, for a gateway to charge. The pricing throws {QuoteChanged}. */
export function quoteCharge(
  deps: BulkPayDeps,
  payer: Payer,
  { session: shown, asked, seen, account, method, pay, receiptEmail, client }: SessionCharge,
): Pricing<never> {
  const { scope, brand } = payer;
  return async (tx) => {
    const { priced, rows, session } = await lockAndPrice(tx, payer, shown);
    const latest = await findAttemptOfSession(tx, scope, shown.id);
    if (latest?.id !== seen?.id || latest?.state === 'succeeded') return { is: 'inTheWay' };
    if (rows.some((row) => row.is_held)) return { is: 'inTheWay' };
    if (session.settled_ref !== null) throw new QuoteChanged();
    refuseChanged(priced, shown);
    const cost = priceWith(priced, method.kind, payer);
    new PaymentTerms(brand, account).refuseCharge(
      method,
      cost,
      brand.settings.partPayment && rows.length === 1,
    );
    const numbers = priced.lines.map(
      ({ invoiceId }) => rows.find(({ id }) => id === invoiceId)?.number ?? '',
    );
    const { invoiceLabelPlural } = brand.settings;
    const named = numbers.length > 3 ? `${numbers.length} ${invoiceLabelPlural}` : numbers.join(', ');
    const paid = await payWith(tx, deps, { scope, account, kind: method.kind, sessionId: shown.id }, pay);
    return {
      is: 'charge',
      scope,
      account,
      pay: paid.pay,
      at: deps.clock.now(),
      charge: {
        origin: 'bulk',
        sessionId: shown.id,
        initiator: 'customer',
        kind: method.kind,
        source: method.source,
        methodShown: method.methodShown ?? null,
        ...(method.method === undefined ? {} : { method: method.method }),
        lines: priced.lines,
        credit: priced.credit,
        fee: cost.fee,
        amount: cost.total,
        labels: { invoice: numbers.join(','), description: `${brand.companyName} ${named}` },
        returnTo: () => brandUrl(brand, deps.publicUrl, `/payment-result?req_uid=${shown.public_id}`),
        receiptEmail,
        owner: { ...(paid.owner && { owner: paid.owner }), ...(client && { client }) },
        requestDigest: asked.digest,
        clientKey: asked.clientKey,
      },
    };
  };
}

/** What the gateway is given: of what was entered, with the entry taken for its one use. */
async function payWith(
  tx: Tx,
  { secrets, clock }: BulkPayDeps,
  {
    scope,
    account,
    kind,
    sessionId,
  }: Pick<QuotedCharge, 'scope' | 'account'> & {
    readonly kind: Method['kind'];
    readonly sessionId: string;
  },
  pay: SessionCharge['pay'],
): Promise<{ readonly pay: QuotedCharge['pay']; readonly owner?: BillingOwner }> {
  if (pay === 'page' || 'saved' in pay) return { pay };
  const { entered, owner } = pay;
  const taken =
    entered.entry &&
    (await takeEntry(tx, { secrets, now: clock.now() }, entered.entry, {
      customerId: scope.customerId,
      account,
      kind,
      use: { purpose: 'payOnce', sessionId },
    }));
  return { pay: inputOf(entered, taken), owner: { ...taken?.owner, ...owner } };
}

/** Prices a session that credit pays whole, and pays it: no gateway, no fee, no attempt. The pricing throws {QuoteChanged}. */
export function quoteByCredit(
  deps: BulkPayDeps,
  payer: Payer,
  shown: queries.SessionRow,
  to: string | null,
): Pricing<PayAnswer> {
  const { customerId } = payer.scope;
  const at = deps.clock.now();
  return async (tx) => {
    const { priced, rows, session } = await lockAndPrice(tx, payer, shown);
    // Two clicks: the second finds what the first has done.
    const settled = settledAnswer(session);
    if (settled !== undefined) return { is: 'settled', as: settled };
    if (rows.some((row) => row.is_held)) throw new AppError('payment.underWay');
    refuseChanged(priced, shown);
    if (isPositive(priced.total)) throw new QuoteChanged();
    const { currency } = session;
    const { lines } = priced;
    const ref = await settleByCredit(tx, { customerId, sessionId: shown.id, currency, lines, to, at });
    return { is: 'settled', as: { status: 'succeeded', reference: ref, at: at.toISOString() } };
  };
}
