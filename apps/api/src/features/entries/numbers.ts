import type { rawAccount } from '@counterfoil/contract/paying/public-pay.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { NumberMembers, RequestNumbers, SentNumbers } from '../../http/numbers/request-numbers.ts';
import type { Secrets } from '../../secrets.ts';
import type { PaymentTerms } from '../payments/service.ts';

/** Members of the calls that take a method in which its numbers come (payments §7). */
export const METHOD_NUMBERS: NumberMembers = {
  cardNumber: 'number',
  cardCode: 'code',
  cvc: 'code',
  cvdValue: 'code',
  cvv: 'code',
  accountNumber: 'account',
  bankAccountNumber: 'account',
};

/** The numbers of a method, and the rest of its form. */
export interface EnteredNumbers extends SentNumbers {
  readonly beside: Readonly<Record<string, string>>;
}

/** A body as far as it may hold numbers and what stands beside them. */
type NumbersBody = Readonly<
  Partial<Record<keyof typeof rawAccount | 'cardNumber' | 'expirationDate', string | null | undefined>>
>;

/** What a request may hold, and the key of digests. */
export interface Sending {
  readonly numbers: RequestNumbers;
  readonly secrets: Pick<Secrets, 'digest'>;
}

const DATE = /^\d{4}-(0[1-9]|1[0-2])$/;
const beside = ['routingNumber', 'accountType', 'bankName', 'nameOnAccount'] as const;

const invalid = (path: string, message: string) =>
  new AppError('request.invalid', { fields: [{ path, message }] });

/** What stands beside the numbers of a body. */
interface Beside {
  /** The body holds a method in another way too. */
  readonly isBesideOther: boolean;
  /** Of the form, as the gateway's own body has it. */
  readonly more?: Readonly<Record<string, string>> | undefined;
  /** What the page has encrypted. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/**
 * The numbers of a method in a body, where the account has chosen that they pass this server; of a card that the page has
 * encrypted, its security code.
 * @returns undefined where there are none
 * @throws {AppError} payment.rawCard where they do not pass, whatever they are; request.invalid for what cannot be a number
 */
export function enteredNumbers(
  sending: Sending,
  terms: Pick<PaymentTerms, 'takesNumbers' | 'takesEncrypted'>,
  kind: MethodKind,
  body: NumbersBody,
  { isBesideOther, more = {}, fields }: Beside,
): EnteredNumbers | undefined {
  const { numbers, secrets } = sending;
  const ciphertext = numbers.ciphertextIn(body.cardNumber);
  if (terms.takesEncrypted(kind) && (ciphertext !== '' || fields !== undefined))
    return enteredEncrypted(sending, kind, body, ciphertext, { isBesideOther, more, fields });
  if (ciphertext !== '') throw notTaken('cardNumber');
  const date = body.expirationDate?.trim() || more['expirationDate'] || '';
  const member = numbers.memberIn(body) ?? (date === '' ? undefined : 'expirationDate');
  if (member === undefined) return undefined;
  if (!terms.takesNumbers(kind)) throw notTaken(member);
  if (isBesideOther) throw invalid(member, 'there is another method beside it');
  const sent = numbers.sentIn(body, secrets);
  const { number, code, account } = sent?.secrets ?? {};
  if (kind === 'bank') {
    if (sent === undefined || account === undefined) throw invalid('accountNumber', 'missing');
    if (number !== undefined || code !== undefined) throw invalid(member, 'is of a card');
    const typed = beside.flatMap((name) => {
      const value = body[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    });
    return { ...sent, beside: { ...more, ...Object.fromEntries(typed) } };
  }
  if (sent === undefined || number === undefined) throw invalid('cardNumber', 'missing');
  if (account !== undefined) throw invalid(member, 'is of a bank account');
  if (!DATE.test(date)) throw invalid('expirationDate', date === '' ? 'missing' : 'is no month as YYYY-MM');
  return { ...sent, beside: { ...more, expirationDate: date } };
}

/** A card or account that the page has encrypted. @returns undefined where nothing stands beside its fields */
function enteredEncrypted(
  { numbers, secrets }: Sending,
  kind: MethodKind,
  body: NumbersBody,
  ciphertext: string,
  { isBesideOther, more, fields }: Beside,
): EnteredNumbers | undefined {
  const member = numbers.memberIn(body);
  if (ciphertext === '' && member === undefined) return undefined;
  const path = member ?? 'cardNumber';
  if (ciphertext !== '' ? isBesideOther : fields === undefined)
    throw invalid(path, 'there is another method beside it');
  if (kind === 'bank') throw invalid(path, 'is of a card');
  const sent = numbers.sentIn(body, secrets);
  const { number, account, code } = sent?.secrets ?? {};
  if (number !== undefined || account !== undefined) throw notTaken(path);
  const date = body.expirationDate?.trim() ?? '';
  if (ciphertext !== '' && !DATE.test(date))
    throw invalid('expirationDate', date === '' ? 'missing' : 'is no month as YYYY-MM');
  return {
    secrets: code === undefined ? {} : { code },
    // Of the code nothing may be kept, and a ciphertext is another each time.
    digest: '',
    beside: {
      ...more,
      ...fields,
      ...(ciphertext !== '' && { encryptedNumber: ciphertext, expirationDate: date }),
    },
  };
}

function notTaken(path: string): AppError {
  const fields = [{ path, message: 'is not taken' }];
  return METHOD_NUMBERS[path] === 'account'
    ? new AppError('payment.rawCard', {
        text: 'Account numbers are not taken here. Please use the fields of the payment provider',
        fields,
      })
    : new AppError('payment.rawCard', { fields });
}
