/** What Accept.js is told and answers. https://developer.authorize.net/api/reference/features/acceptjs.html */
import { words } from '../kit/browser/words.ts';
import type { BillingOwner, Entered, MethodKind } from '../port/browser.ts';

export interface AcceptReply {
  readonly opaqueData?: { readonly dataDescriptor?: string; readonly dataValue?: string };
  readonly messages?: {
    readonly resultCode?: string;
    readonly message?: readonly { readonly code: string; readonly text: string }[];
  };
}

type Typed = Readonly<Record<string, string>>;

/** What is handed to `dispatchData`. @param typed of a card `number`, `expiry` 'YYYY-MM' and `code` */
export function acceptData(
  authData: { readonly apiLoginID: string; readonly clientKey: string },
  kind: MethodKind,
  typed: Typed,
  owner: BillingOwner,
): object {
  const { name = '', billing } = owner;
  if (kind === 'bank') {
    const { accountNumber, routingNumber, accountType } = typed;
    return {
      authData,
      bankData: { accountNumber, routingNumber, nameOnAccount: name.slice(0, 22), accountType },
    };
  }
  const [year = '', month = ''] = (typed['expiry'] ?? '').split('-');
  return {
    authData,
    cardData: {
      cardNumber: typed['number'],
      month,
      year,
      cardCode: typed['code'],
      // Neither may be empty where it is given.
      ...(billing?.postalCode ? { zip: billing.postalCode.slice(0, 20) } : {}),
      ...(name === '' ? {} : { fullName: name.slice(0, 64) }),
    },
  };
}

/** Codes that are about one input, and what its payer reads there. */
const fields: Readonly<Record<string, readonly [field: string, text: string]>> = {
  E_WC_05: ['number', 'This card number is not right. Look for a digit that was mistyped'],
  E_WC_06: ['expiry', 'Please provide valid date'],
  E_WC_07: ['expiry', 'Please provide valid date'],
  E_WC_08: ['expiry', 'Please provide valid date'],
  E_WC_15: ['cvc', 'Please check the security code'],
};
/** Our keys or our page: nothing a payer can mend. */
const ours = new Set(['01', '02', '03', '10', '13', '18', '21', '23'].map((code) => `E_WC_${code}`));
const misconfigured =
  'The payment gateway isn’t configured properly. Please contact support if the issue persists.';

/** The nonce, or why there is none. What Accept.js does not take goes beside it. */
export function readReply({ opaqueData, messages }: AcceptReply, kind: MethodKind, typed: Typed): Entered {
  const [message] = messages?.message ?? [];
  if (messages?.resultCode === 'Ok' && opaqueData?.dataValue) {
    const { bankName } = typed;
    return {
      token: opaqueData.dataValue,
      ...(kind === 'bank' && bankName ? { beside: { bankName } } : {}),
    };
  }
  if (message === undefined || message.code === 'E_WC_14') return { error: words.unreachable };
  if (ours.has(message.code)) return { error: misconfigured };
  const known = kind === 'card' ? fields[message.code] : undefined;
  return known === undefined ? { error: message.text } : { error: known[1], field: known[0] };
}
