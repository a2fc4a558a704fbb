import type { StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import type { PayRequest } from '@counterfoil/contract/paying/public-pay.ts';
import type { BillingOwner, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { RequestNumbers } from '../../http/numbers/request-numbers.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { sha256 } from '../../secrets.ts';
import { type Entered, enteredNumbers, enteredOf, isEntered, namesOf } from '../entries/service.ts';
import { type Asked, checkReceiptAddress, ownerTyped, PaymentTerms } from '../payments/service.ts';
import type { Opened, PublicPayDeps } from './link.ts';

/** A request to pay by a link, as it was sent. */
export interface Submission extends Opened {
  readonly body: PayRequest;
  readonly method: LinkMethod;
  readonly asked: Asked;
  /** From where the holder of an account agrees to its debit. */
  readonly origin: Origin;
  /** What the payer typed. @throws {AppError} where it lacks something, or nothing can be paid with it */
  readonly form: () => PayForm;
  /** `performance.now()` when it came. */
  readonly startedMs: number;
}

/**
 * Reads a request to pay by a link. The form is checked by whoever needs it: the same request again is answered without.
 * @throws {AppError} for a card beside an account, and for numbers that are not taken here
 */
export function parse(
  deps: PublicPayDeps,
  { opened, startedMs }: { readonly opened: Opened; readonly startedMs: number },
  body: PayRequest,
  idempotencyKey: string | null,
  origin: Origin,
  numbers: RequestNumbers,
): Submission {
  const { invoiceId, brand, account } = opened;
  const terms = new PaymentTerms(brand, account);
  terms.refuseNumbersAsTokens({ cardToken: body.cardToken, paymentMethodId: body.paymentMethodId });
  const method = withNumbers(methodOf(body), (kind, isBesideOther) =>
    enteredNumbers({ numbers, secrets: deps.secrets }, terms, kind, body, {
      isBesideOther,
      fields: body.fields,
    }),
  );
  const { kind, source } = method;
  const named =
    source.by === 'page'
      ? ['page']
      : kind === 'card'
        ? namesOf(source.entered)
        : [...namesOf(source.entered), source.scheme];
  const asked = {
    digest: sha256(JSON.stringify([body.uid, body.invoiceAmount, body.invoiceNumber, ...named])),
    clientKey: idempotencyKey === null ? null : `public:${invoiceId}:${idempotencyKey}`,
  };
  const form = () => {
    const checked = checkPayForm(body, method, brand.settings);
    terms.refuse(method);
    if (source.by === 'token' && !terms.takesEntered(kind, source.entered))
      throw new AppError('payment.methodMissing', { fields: [{ path: 'cardToken', message: 'missing' }] });
    return checked;
  };
  return {
    scope: opened.scope,
    invoiceId,
    brand,
    account,
    body,
    method,
    asked,
    origin,
    form,
    startedMs,
  };
}

/** What pays by a link: a card, an account of a scheme, or what the gateway's own page asks for. */
export interface LinkMethod {
  readonly kind: MethodKind;
  readonly source:
    | {
        readonly by: 'token';
        readonly token?: string;
        readonly entered: Entered;
        readonly scheme?: string;
      }
    | { readonly by: 'page' };
}

/** What the payer pays with. @throws {AppError} where that is both */
function methodOf(body: PayRequest): LinkMethod {
  const { cardToken, paymentMethodId, paymentMethodType = '', ownPage } = body;
  const token = cardToken?.trim() ?? '';
  const account = paymentMethodId?.trim() ?? '';
  // The page takes cards, so it costs what a card costs.
  if (ownPage === true && token === '' && account === '') return { kind: 'card', source: { by: 'page' } };
  const entered = enteredOf(account === '' ? token : account, body);
  // An account that is typed into a page of the gateway has no token here, but its scheme.
  if (account === '' && paymentMethodType === '')
    return { kind: 'card', source: { by: 'token', entered, ...(token !== '' && { token }) } };
  if (token !== '')
    throw new AppError('request.invalid', {
      fields: [{ path: 'cardToken', message: 'there is an account beside it' }],
    });
  return {
    kind: 'bank',
    source: { by: 'token', entered, scheme: paymentMethodType, ...(account !== '' && { token: account }) },
  };
}

/** The numbers of the same body as what pays, where it has any. */
function withNumbers(
  method: LinkMethod,
  numbersOf: (kind: MethodKind, isBesideOther: boolean) => Entered['numbers'],
): LinkMethod {
  const { kind, source } = method;
  const isBesideOther =
    source.by === 'page' || source.entered.token !== '' || source.entered.fields !== undefined;
  const numbers = numbersOf(kind, isBesideOther);
  if (numbers === undefined || source.by === 'page') return method;
  return { kind, source: { ...source, entered: { ...source.entered, numbers } } };
}

export interface PayForm {
  readonly email: string | null;
  /** Who owns what pays. */
  readonly owner: BillingOwner;
  /** Of the account. */
  readonly holder: string;
}

/** Checks what the payer typed against what the brand requires. @throws {AppError} with the members at fault */
function checkPayForm(
  body: PayRequest,
  { kind, source }: LinkMethod,
  settings: StoredBrandSettings,
): PayForm {
  const owner = ownerTyped(body);
  if (source.by === 'page') return { email: checkReceiptAddress(body.email), holder: '', owner };
  const holder = body.accountHolderName?.trim() ?? '';
  const lacks = (path: string) =>
    new AppError('payment.fieldMissing', { fields: [{ path, message: 'missing' }] });
  if (!isEntered(source.entered))
    throw new AppError('payment.methodMissing', { fields: [{ path: 'cardToken', message: 'missing' }] });
  // The provider has what is asked of the holder of an account; the card's form asks here.
  if (kind === 'bank' && holder === '') throw lacks('accountHolderName');
  if (kind === 'card' && settings.cardHolderRequired && (body.cardHolder?.trim() ?? '') === '')
    throw lacks('cardHolder');
  if (kind === 'card' && settings.billingAddressRequired && body.billingAddress === undefined)
    throw lacks('billingAddress');
  return { email: checkReceiptAddress(body.email), holder, owner };
}
