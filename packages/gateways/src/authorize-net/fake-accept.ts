/**
 * The fake Accept.js: `Accept.dispatchData` as the portal uses it, talking to the sandbox it was loaded from. Other than the real
 * one it works on pages without TLS. https://developer.authorize.net/api/reference/features/acceptjs.html
 */
type Fields = Readonly<Record<string, string | undefined>>;
interface SecureData {
  readonly authData?: Fields;
  readonly cardData?: Fields;
  readonly bankData?: Fields;
}
interface Message {
  readonly code: string;
  readonly text: string;
}
interface Response {
  readonly opaqueData?: { readonly dataDescriptor: string; readonly dataValue: string };
  readonly messages: { readonly resultCode: 'Ok' | 'Error'; readonly message: readonly Message[] };
}

const script = document.currentScript;
const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : window.location.origin;
const api = `${origin}/authorize-net/xml/v1/request.api`;

const problem = (code: string, text: string): Response => ({
  messages: { resultCode: 'Error', message: [{ code, text }] },
});

/** What the library refuses before it asks anybody. */
function wrongWith({ authData, cardData, bankData }: SecureData): Response | undefined {
  if (!authData?.['apiLoginID']) return problem('E_WC_10', 'Please provide valid apiloginid.');
  if (!authData['clientKey']) return problem('E_WC_18', 'Client Key is required.');
  if (cardData) {
    const { cardNumber = '', month = '', year = '', cardCode } = cardData;
    if (!/^\d{13,16}$/.test(cardNumber))
      return problem('E_WC_05', 'Please provide valid credit card number.');
    if (!/^(0?[1-9]|1[0-2])$/.test(month))
      return problem('E_WC_06', 'Please provide valid expiration month.');
    if (!/^(\d{2}|\d{4})$/.test(year)) return problem('E_WC_07', 'Please provide valid expiration year.');
    if (cardCode !== undefined && !/^\d{3,4}$/.test(cardCode))
      return problem('E_WC_15', 'Please provide valid CVV.');
    return undefined;
  }
  if (!bankData) return problem('E_WC_04', 'Please provide mandatory field to library.');
  const { accountNumber, routingNumber, nameOnAccount, accountType } = bankData;
  return accountNumber && routingNumber && nameOnAccount && accountType
    ? undefined
    : problem('E_WC_04', 'Please provide mandatory field to library.');
}

function tokenOf({ cardData, bankData }: SecureData): object {
  if (bankData) {
    const { accountNumber, routingNumber, nameOnAccount, accountType } = bankData;
    return { bankToken: { accountNumber, routingNumber, nameOnAccount, accountType } };
  }
  const { cardNumber, month = '', year = '', cardCode, zip, fullName } = cardData ?? {};
  const expirationDate = `${month.padStart(2, '0')}${year.slice(-2)}`;
  return { token: { cardNumber, expirationDate, cardCode, zip, fullName } };
}

function dispatchData(secureData: SecureData, handler: ((response: Response) => void) | string): void {
  const done = (response: Response): void => {
    // A handler may be given by the name of a global function.
    const call =
      typeof handler === 'string' ? (window as unknown as Record<string, unknown>)[handler] : handler;
    if (typeof call === 'function') call(response);
  };
  const wrong = wrongWith(secureData);
  if (wrong !== undefined) {
    setTimeout(() => done(wrong));
    return;
  }
  const { authData } = secureData;
  const body = {
    securePaymentContainerRequest: {
      merchantAuthentication: { name: authData?.['apiLoginID'], clientKey: authData?.['clientKey'] },
      data: { type: 'TOKEN', id: 'accept', ...tokenOf(secureData) },
    },
  };
  fetch(api, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
    .then(async (answer) => (await answer.json()) as Response)
    .then((said) => {
      const [message] = said.messages.message;
      if (said.messages.resultCode === 'Ok') done(said);
      else if (message?.code === 'E00007') done(problem('E_WC_21', 'User authentication failed.'));
      else done(problem('E_WC_20', message?.text ?? 'The payment data was rejected.'));
    })
    .catch(() => done(problem('E_WC_14', 'Accept.js encryption failed.')));
}

(window as unknown as { Accept: object }).Accept = { dispatchData };
