import type { PayRequest } from '@counterfoil/contract/paying/public-pay.ts';
import { compareMoney, isPositive, type Money, money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { readPart } from '@counterfoil/domain/paying/part-payment.ts';
import { InvalidValue } from '@counterfoil/domain/result.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { Brand } from '../brand/service.ts';
import { type GatewayAccount, PaymentTerms, type Price } from '../payments/service.ts';
import { dueOf } from './details.ts';
import type { PayableRow } from './queries.ts';

/**
 * Amount due, or amount due and fee: both name the price that was shown. Anything else is what is charged only where
 * the brand offers part payment; it is then without fee. Who is debited has agreed to the total, so that must be named.
 * @throws {AppError} for another price than ours
 */
export function priceAsked(
  body: PayRequest,
  kind: MethodKind,
  row: PayableRow,
  brand: Brand,
  account: GatewayAccount,
): Price {
  const terms = new PaymentTerms(brand, account);
  if (body.invoiceNumber !== row.number) throw new AppError('payment.invoiceMismatch');
  const whole = terms.price(dueOf(row), kind);
  // Else what was paid meanwhile, perhaps by the payer's own abandoned 3-D Secure, would be paid again by somebody who
  // does not know of it; what is left may even be the very part they mean.
  if (body.due !== undefined && !isAmount(body.due, whole.due)) throw new AppError('payment.amountChanged');
  const sent = amountSent(body.invoiceAmount, row.currency);
  const isWhole = sent !== undefined && [whole.due, whole.total].some((one) => compareMoney(one, sent) === 0);
  const price = isWhole ? whole : terms.price(partAsked(body, row, brand, terms), kind);
  const shown = body.total ?? (kind === 'bank' ? body.invoiceAmount : undefined);
  const isShown = shown === undefined || isAmount(shown, price.total);
  if (!isPositive(price.due) || !isShown) throw new AppError('payment.amountChanged');
  return price;
}

function partAsked({ invoiceAmount }: PayRequest, row: PayableRow, brand: Brand, terms: PaymentTerms): Money {
  const range = brand.settings.partPayment ? terms.parts(money(row.due_minor, row.currency)) : null;
  if (range === null) throw new AppError('payment.amountChanged');
  const part = readPart(String(invoiceAmount), range);
  // More than is due was due when it was asked for: it was paid meanwhile.
  if (part === 'tooMuch') throw new AppError('payment.amountChanged');
  if (typeof part === 'string')
    throw new AppError('payment.partRefused', {
      fields: [{ path: 'invoiceAmount', message: 'cannot be paid' }],
    });
  return part;
}

function isAmount(amount: string | number, wanted: Money): boolean {
  const sent = amountSent(amount, wanted.currency);
  return sent !== undefined && compareMoney(sent, wanted) === 0;
}

function amountSent(amount: string | number, currency: string): Money | undefined {
  try {
    return parseMoney(String(amount), currency);
  } catch (error) {
    if (error instanceof InvalidValue) return undefined;
    throw error;
  }
}
