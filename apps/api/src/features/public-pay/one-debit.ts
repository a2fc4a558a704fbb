import { ONE_DEBIT_VERSION, oneDebitText } from '@counterfoil/contract/paying/direct-debit-words.ts';
import type { PaymentInfo, PayRequest } from '@counterfoil/contract/paying/public-pay.ts';
import { formatDecimal } from '@counterfoil/domain/money/money.ts';
import type { OneDebit } from '@counterfoil/gateways/port/gateway.ts';
import type { DebitScheme } from '@counterfoil/gateways/port/saved-manifest.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Origin } from '../../http/requests/origin.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { amountText, type Brand } from '../brand/service.ts';
import { keepConsent } from '../consents/service.ts';
import { type GatewayAccount, PaymentTerms, type Price } from '../payments/service.ts';
import { dueOf } from './details.ts';
import type { PayableRow } from './queries.ts';

/**
 * The debit a link offers for invoices in a currency: the brand's own, where its accounts are debited once and in that
 * currency.
 */
export function debitOnce(
  brand: Brand,
  account: GatewayAccount | undefined,
  currency: string,
): DebitScheme | undefined {
  const terms = new PaymentTerms(brand, account);
  const debit = terms.debit();
  if (debit === undefined) return undefined;
  const source = { by: 'token', scheme: debit.scheme } as const;
  return terms.refusal({ kind: 'bank', source, currency }) === undefined ? debit : undefined;
}

/** What the page needs to take an account instead of a card. */
export function presentOnce(
  row: PayableRow,
  brand: Brand,
  account: GatewayAccount | undefined,
): PaymentInfo['bank'] {
  const terms = new PaymentTerms(brand, account);
  const debit = debitOnce(brand, account, row.currency);
  const form = debit && terms.debitForm(debit);
  if (!form) return null;
  const { fee, total } = terms.price(dueOf(row), 'bank');
  return {
    ...form,
    fee: formatDecimal(fee),
    total: formatDecimal(total),
    feeSetting: terms.feeSetting('bank', row.currency),
  };
}

/**
 * Refuses an account that the brand does not take here, or whose holder has not agreed to the words of now.
 * @throws {AppError}
 */
export function refuseWithoutAgreement(
  { mandateAccepted, mandateVersion }: PayRequest,
  debit: DebitScheme | undefined,
  scheme: string | undefined,
): void {
  if (debit === undefined || debit.scheme !== scheme) throw new AppError('paymentMethod.notOffered');
  if (mandateAccepted !== true) throw new AppError('paymentMethod.agreementNeeded');
  if (debit.mandate !== undefined && mandateVersion !== debit.mandate.version)
    throw new AppError('paymentMethod.otherProvider');
}

/** Who agrees to a debit through a link, and for what. */
export interface OneAgreement {
  readonly scope: CustomerScope;
  readonly origin: Origin;
  readonly holder: string;
  readonly brand: Brand;
  readonly terms: PaymentTerms;
  readonly debit: DebitScheme;
  readonly number: string;
  readonly price: Price;
}

/** Keeps what the holder of an account has agreed to, word for word as it was shown. */
export async function agreeOnce(
  tx: Tx,
  { scope, origin, holder, brand, terms, debit, number, price }: OneAgreement,
  now: Date,
): Promise<{ readonly id: string; readonly debit: OneDebit }> {
  const { total } = price;
  const amount = amountText(brand, total);
  const once = oneDebitText({ amount, company: brand.companyName, number });
  const text = [once, terms.mandate(debit)].filter((part) => part !== undefined).join('\n');
  const version = [debit.mandate?.version, ONE_DEBIT_VERSION].filter((part) => part !== undefined).join('+');
  const id = await keepConsent(tx, { scope, origin, holder }, { purpose: 'debit', text, version }, now);
  const consent = { text, version, at: now, ip: origin.address, agent: origin.agent };
  return { id, debit: { scheme: debit.scheme, consent } };
}
