/** Plain requests to the sandbox, as the provider's reference writes them, for its tests. */
import { sandboxForTests } from '@counterfoil/sandbox/test-support.ts';

export const harness = sandboxForTests('authorize-net');

export type Body = Readonly<Record<string, unknown>>;
interface Said {
  readonly code: string;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
}

export const keys = (name: string) => ({ name, transactionKey: name.padEnd(16, '0').slice(0, 16) });

/** Sends a document as it stands. */
export async function post(document: unknown, type = 'application/json'): Promise<Said> {
  const answer = await fetch(`${harness.sandbox.url}/authorize-net/xml/v1/request.api`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof document === 'string' ? document : JSON.stringify(document),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const body = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')) as Record<string, unknown>;
  const { message } = body['messages'] as { message: { code: string; text: string }[] };
  const { code = '', text = '' } = message[0] ?? {};
  return { code, text, body, bytes, status: answer.status, type: answer.headers.get('content-type') ?? '' };
}
export const ask = (method: string, body: Body = {}, name = 'plain', refId?: string): Promise<Said> =>
  post({
    [`${method}Request`]: {
      merchantAuthentication: keys(name),
      ...(refId === undefined ? {} : { refId }),
      ...body,
    },
  });

let count = 0;
/** Text that no other request has: contents are compared. */
export const unique = (): string => {
  count += 1;
  return `t${process.pid}-${count}`;
};

export const visa = ['4111', '1111', '1111', '1111'].join('');
export const typed = (over: Body = {}) => ({
  creditCard: { cardNumber: visa, expirationDate: '2035-12', cardCode: '900', ...over },
});
export const account = (over: Body = {}) => ({
  bankAccount: {
    accountType: 'checking',
    routingNumber: '121042882',
    accountNumber: '123456789012',
    nameOnAccount: 'Vera Fox',
    echeckType: 'WEB',
    ...over,
  },
});

export async function profile(): Promise<string> {
  const made = await ask('createCustomerProfile', { profile: { merchantCustomerId: unique() } });
  return String(made.body['customerProfileId']);
}
export const add = (customerProfileId: string, payment: Body, billTo: Body = {}, mode = 'testMode') =>
  ask('createCustomerPaymentProfile', {
    customerProfileId,
    paymentProfile: { billTo: { firstName: 'Vera', address: unique(), ...billTo }, payment },
    validationMode: mode,
  });
export const idOf = ({ body }: Said): string => String(body['customerPaymentProfileId']);
export const read = async (customerProfileId: string, id: string, unmask = false): Promise<Body> => {
  const said = await ask('getCustomerPaymentProfile', {
    customerProfileId,
    customerPaymentProfileId: id,
    ...(unmask ? { unmaskExpirationDate: true } : {}),
  });
  return (said.body['paymentProfile'] ?? {}) as Body;
};

export const setting = (settingName: string, settingValue: string) => ({ settingName, settingValue });
export const window8h = { transactionSettings: { setting: [setting('duplicateWindow', '28800')] } };
/** A charge; what is given replaces, in the schema's order. */
export function sale(over: Body = {}, amount = '125.50'): Body {
  const { payment = typed(), profile: of, order = { invoiceNumber: unique() }, ...rest } = over;
  return {
    transactionRequest: {
      transactionType: 'authCaptureTransaction',
      amount,
      ...(of === undefined ? { payment } : { profile: of }),
      order,
      ...rest,
    },
  };
}
export const pay = (over: Body = {}, amount?: string, name?: string) =>
  ask('createTransaction', sale(over, amount), name, unique());
/** Response code, reason and id of a transaction's answer. */
export function came({ body }: Said): readonly [code: string, reason: string, id: string] {
  const result = (body['transactionResponse'] ?? {}) as Record<string, never>;
  const {
    responseCode = '',
    errors = [],
    messages = [],
    transId = '',
  } = result as unknown as {
    responseCode?: string;
    transId?: string;
    errors?: { errorCode: string }[];
    messages?: { code: string }[];
  };
  return [responseCode, errors[0]?.errorCode ?? messages[0]?.code ?? '', transId];
}
export const undo = (transactionType: string, refTransId: string, more: Body = {}) =>
  ask('createTransaction', { transactionRequest: { transactionType, ...more, refTransId } });
export const refund = (id: string, amount: string) =>
  ask('createTransaction', {
    transactionRequest: {
      transactionType: 'refundTransaction',
      amount,
      payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: 'XXXX' } },
      refTransId: id,
      order: { invoiceNumber: unique() },
    },
  });
export const details = async (transId: string) =>
  (await ask('getTransactionDetails', { transId })).body['transaction'] as Record<string, unknown>;
export const day = 25 * 3_600_000;
