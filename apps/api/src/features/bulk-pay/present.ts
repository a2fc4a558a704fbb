import { FEE_LINES, type PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { BulkStatus } from '@counterfoil/domain/paying/bulk-pay.ts';
import { type Brand, symbolOf } from '../brand/service.ts';
import type { TakenMoney } from '../payments/queries.ts';
import { type AttemptRow, answerFor, type GatewayAccount, PaymentTerms } from '../payments/service.ts';
import type { LineRow, SessionRow } from './queries.ts';

export interface IntentParts {
  readonly session: SessionRow;
  readonly lines: readonly LineRow[];
  readonly attempt: AttemptRow | undefined;
  /** What it has brought, where it went through. */
  readonly taken: TakenMoney | undefined;
  readonly brand: Brand;
  readonly account: GatewayAccount | undefined;
  readonly email: string | null;
}

/**
 * Status of a bulk payment (payments §4, decisions §6), from what has become of it. 1 is the portal's own: nothing was
 * asked of us yet. 0: none of its invoices can be paid any more. A failed one may be tried again.
 */
export function statusOf({
  session,
  lines,
  attempt,
}: Pick<IntentParts, 'session' | 'lines' | 'attempt'>): BulkStatus {
  if (session.settled_ref !== null || attempt?.state === 'succeeded') return BulkStatus.PAID;
  // The browser has been sent to the bank: the payment stays loaded until it is back.
  if (attempt?.state === 'requiresAction') return BulkStatus.LOADED;
  if (attempt !== undefined && isOpen(attempt.state)) return BulkStatus.BEING_CONFIRMED;
  if (attempt !== undefined) return BulkStatus.FAILED;
  return lines.some(({ kind }) => kind === 'invoice') ? BulkStatus.LOADED : BulkStatus.IDLE;
}

/** A bulk payment as its page shows it. */
export function presentIntent(parts: IntentParts): PaymentIntent {
  const { session, brand, email } = parts;
  const { currency } = session;
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  const status = statusOf(parts);
  const attempt = presentAttempt(parts, number);
  return {
    id: session.client_id ?? session.public_id,
    sessionId: session.public_id,
    status,
    error: status === BulkStatus.FAILED ? (attempt?.message ?? null) : null,
    companyName: brand.companyName,
    currency,
    currencySymbol: symbolOf(brand, currency),
    ...sumsOf(parts, number),
    partPayment: partOf(parts, number),
    email,
    receiptOf: receiptOf(parts),
    attempt,
  };
}

type Sums = Pick<PaymentIntent, 'total' | 'adjustmentsTotal' | 'invoices'>;

/** What is to be paid, as it was last priced; once it is paid, what really was. */
function sumsOf({ session, lines, attempt, taken }: IntentParts, number: (minor: bigint) => number): Sums {
  const placeOf = (id: string) => lines.findIndex(({ invoice_id }) => invoice_id === id);
  if (attempt !== undefined && taken !== undefined) {
    const inOrder = taken.lines.toSorted((a, b) => placeOf(a.invoiceId) - placeOf(b.invoiceId));
    return sumsTaken(attempt, { ...taken, lines: inOrder }, number);
  }
  return {
    total: number(session.total_minor),
    adjustmentsTotal: number(session.credit_minor),
    invoices: lines.flatMap(({ kind, invoice_id, number: invoiceNumber, amount_minor }) =>
      kind === 'adjustment'
        ? []
        : [
            {
              invoiceNumber: kind === 'invoice' ? (invoiceNumber ?? '') : kind,
              invoiceAmount: number(amount_minor),
              invoiceId: invoice_id,
            },
          ],
    ),
  };
}

function sumsTaken(
  { kind }: AttemptRow,
  { minor, feeMinor, lines }: TakenMoney,
  number: (minor: bigint) => number,
): Sums {
  const fee = { invoiceNumber: FEE_LINES[kind], invoiceAmount: number(feeMinor), invoiceId: null };
  return {
    total: number(minor - feeMinor),
    adjustmentsTotal: number(lines.reduce((sum, { creditMinor }) => sum + creditMinor, 0n)),
    invoices: [
      ...lines.map(({ invoiceId, number: invoiceNumber, paidMinor, dueMinor }) => ({
        invoiceNumber,
        invoiceId,
        invoiceAmount: number(paidMinor),
        stillDue: number(dueMinor),
      })),
      ...(feeMinor > 0n ? [fee] : []),
    ],
  };
}

function partOf(
  { session, lines, brand, account }: IntentParts,
  number: (minor: bigint) => number,
): PaymentIntent['partPayment'] {
  const [line, ...others] = lines.filter(({ kind }) => kind === 'invoice');
  if (!brand.settings.partPayment || line === undefined || others.length > 0) return null;
  const due = money(line.due_minor ?? 0n, session.currency);
  const range = new PaymentTerms(brand, account).parts(due);
  return (
    range && {
      least: number(range.least.minor),
      most: number(range.most.minor),
      leastRest: range.leastRest === undefined ? null : number(range.leastRest.minor),
      step: range.step === undefined ? null : number(range.step.minor),
    }
  );
}

/** Credit that paid alone has no attempt: there the session is the payment. */
function receiptOf({ session, attempt }: IntentParts): string | null {
  if (session.settled_ref !== null) return session.id;
  return attempt?.state === 'succeeded' ? attempt.id : null;
}

function presentAttempt(
  { session, attempt, account, taken }: IntentParts,
  number: (minor: bigint) => number,
): PaymentIntent['attempt'] {
  const settled = settledAnswer(session);
  if (settled !== undefined) return { ...settled, amount: 0, method: 'Credit' };
  if (attempt === undefined) return null;
  const answer = answerFor(attempt, account, taken);
  const { status, expected, message, redirectToUrl, asked, keptAsCredit } = answer;
  return {
    status,
    ...(expected === undefined ? {} : { expected }),
    ...(message === undefined ? {} : { message }),
    ...(redirectToUrl === undefined ? {} : { redirectToUrl }),
    ...(asked === undefined ? {} : { asked }),
    ...(keptAsCredit === undefined ? {} : { keptAsCredit }),
    reference: attempt.ref,
    at: attempt.updated_at.toISOString(),
    amount: number(taken?.minor ?? attempt.amount_minor),
    method: attempt.method,
  };
}

/** What is told of a session that credit alone has paid; undefined where it has not. */
export const settledAnswer = ({
  settled_ref: reference,
  settled_at: at,
}: Pick<SessionRow, 'settled_ref' | 'settled_at'>) =>
  reference === null || at === null
    ? undefined
    : ({ status: 'succeeded', reference, at: at.toISOString() } as const);
