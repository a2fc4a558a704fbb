import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import { sha256 } from '../../secrets.ts';
import { type Brand, brandUrl } from '../brand/service.ts';
import { inputOf, takeEntry } from '../entries/service.ts';
import { findLatestAttempt, readTaken } from '../payments/queries.ts';
import { type AttemptRow, acceptedAccount, PaymentTerms, type Pricing } from '../payments/service.ts';
import { priceAsked } from './asked-price.ts';
import type { PublicPayDeps } from './link.ts';
import { agreeOnce, debitOnce, refuseWithoutAgreement } from './one-debit.ts';
import type { Submission } from './parse.ts';
import { refusePaused } from './pause.ts';
import * as queries from './queries.ts';

/**
 * What is owed by a link, and the fee. Prices are ours; the amount sent is only compared.
 * @throws {AppError} gateway.misconfigured, what the form lacks; under the lock, what cannot be paid, or not at this price
 */
export async function quote(deps: PublicPayDeps, submission: Submission): Promise<Pricing<never>> {
  const { scope, invoiceId, brand, account: active, body, method, asked, origin } = submission;
  if (active === undefined) throw new AppError('gateway.misconfigured');
  const form = submission.form();
  const account = await acceptedAccount(deps, submission);
  const { kind, source } = method;
  const terms = new PaymentTerms(brand, account);
  const now = () => deps.clock.now();
  return async (tx) => {
    // Looked for once the invoice is locked: both come in this order.
    const [row, last] = await Promise.all([
      queries.lockPayable(tx, scope, invoiceId),
      findLatestAttempt(tx, scope, invoiceId),
    ]);
    refuseUnpayable(row, brand);
    // Most invoices are paid at the first try: of those nothing else has to be asked.
    if (last !== undefined) {
      await refusePaused(tx, scope, invoiceId, now());
      if (await isDecided(tx, submission, last)) return { is: 'inTheWay' };
    }
    const scheme = source.by === 'token' ? source.scheme : undefined;
    const debit = kind === 'bank' ? debitOnce(brand, account, row.currency) : undefined;
    if (kind === 'bank') refuseWithoutAgreement(body, debit, scheme);
    const price = priceAsked(body, kind, row, brand, account);
    terms.refuseCharge(method, price, brand.settings.partPayment);
    const who = { scope, origin, holder: form.holder, brand, terms, number: row.number, price };
    const agreed = debit && (await agreeOnce(tx, { ...who, debit }, now()));
    const use = { purpose: 'payOnce', invoiceId } as const;
    const { entry } = source.by === 'token' ? source.entered : {};
    const taken =
      entry &&
      (await takeEntry(tx, { secrets: deps.secrets, now: now() }, entry, {
        customerId: scope.customerId,
        account,
        kind,
        scheme,
        use,
      }));
    return {
      is: 'charge',
      scope,
      account,
      at: now(),
      pay:
        source.by === 'page'
          ? 'page'
          : { ...inputOf(source.entered, taken), ...(agreed && { debit: agreed.debit }) },
      charge: {
        origin: 'public',
        lines: [{ invoiceId, amount: price.due }],
        fee: price.fee,
        amount: price.total,
        kind,
        source,
        ...(agreed && { consentId: agreed.id }),
        initiator: 'customer',
        owner: {
          owner: { ...taken?.owner, ...form.owner },
          client: { ip: origin.address, userAgent: origin.agent },
        },
        labels: { invoice: row.number, description: `${brand.companyName} ${row.number}` },
        returnTo: (attemptId) => brandUrl(brand, deps.publicUrl, `/pay/${body.uid}?attempt=${attemptId}`),
        payLinkHash: sha256(body.uid),
        receiptEmail: brand.settings.emailReceipt ? (form.email ?? row.customer_email) : form.email,
        requestDigest: asked.digest,
        clientKey: asked.clientKey,
      },
    };
  };
}

/** Refuses an invoice that is not to be paid. @throws {AppError} payment.credited, payment.alreadyPaid, payment.notPayable */
export function refuseUnpayable(row: queries.PayableRow, brand: Brand): void {
  if (row.status === InvoiceStatus.CREDITED) throw new AppError('payment.credited');
  if (row.status === InvoiceStatus.PAID) throw new AppError('payment.alreadyPaid');
  const isOffered =
    brand.settings.paymentsEnabled && row.kind === 'invoice' && row.status === InvoiceStatus.OPEN;
  if (!isOffered) throw new AppError('payment.notPayable');
  if (row.due_minor <= 0n) throw new AppError('payment.alreadyPaid');
}

/**
 * Whether another attempt was faster, or this very payment was made. A part that is paid leaves the invoice open, also where all was asked for and less
 * was taken: nothing else keeps the same call, sent again without its key, from paying the next part with the same card,
 * or from being refused by a price that it has changed itself.
 */
async function isDecided(
  tx: Tx,
  { brand, asked }: Pick<Submission, 'brand' | 'asked'>,
  last: AttemptRow,
): Promise<boolean> {
  if (isOpen(last.state)) return true;
  if (last.state !== 'succeeded' || !last.request_digest.equals(asked.digest)) return false;
  const taken = await readTaken(tx, last);
  return brand.settings.partPayment || (taken !== undefined && taken.minor < last.amount_minor);
}
