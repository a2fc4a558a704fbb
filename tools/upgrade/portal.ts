/** The portal as one who signs in sees it, by the calls its pages make. */
export interface Portal {
  get(path: string, customerId?: string): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** An invoice as the portal lists it, as far as it is compared. */
export interface ListedInvoice {
  readonly customerId: string;
  readonly number: string;
  readonly amountDue: number;
  readonly currency: string;
  /** Of its pay link, where it may be paid. */
  readonly payToken: string | null;
}

const PASSWORD = 'Ledger!2026';
const LIMIT_MS = 30_000;

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(LIMIT_MS) });
  return { status: answer.status, text: await answer.text() };
}

/** @throws {Error} where the answer is not 200, with what it says */
function dataOf<T>({ status, text }: Answer, of: string): T {
  if (status !== 200) throw new Error(`${of} answered ${status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** Signs in as a user of the demo world. @throws {Error} where that is refused */
export async function signIn(url: string, email: string): Promise<Portal> {
  const form = new URLSearchParams({
    client_id: 'counterfoil-portal',
    grant_type: 'password',
    username: email,
    password: PASSWORD,
  });
  const answer = await ask(`${url}/token`, { method: 'POST', body: form });
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${answer.status} ${answer.text}`);
  const { access_token } = JSON.parse(answer.text) as { access_token: string };
  return {
    get: (path, customerId) =>
      ask(`${url}${path}`, {
        headers: {
          authorization: `Bearer ${access_token}`,
          ...(customerId === undefined ? {} : { 'x-customer-id': customerId }),
        },
      }),
  };
}

/** @returns the ids of the customers that the user sees */
export async function customersOf(portal: Portal): Promise<string[]> {
  const { customers } = dataOf<{ customers: { id: string }[] }>(await portal.get('/v1/ec/me'), 'me');
  return customers.map(({ id }) => id);
}

/** @returns all invoices of all customers that the user sees, in an order that does not change */
export async function invoicesOf(portal: Portal): Promise<ListedInvoice[]> {
  const all: ListedInvoice[] = [];
  for (const customerId of await customersOf(portal)) {
    const path = '/v1/ec/invoices?limit=1000&offset=0';
    for (const one of dataOf<ListedInvoice[]>(await portal.get(path, customerId), 'invoices'))
      all.push({ ...one, customerId });
  }
  return all.sort((a, b) => `${a.customerId} ${a.number}`.localeCompare(`${b.customerId} ${b.number}`));
}

/**
 * Calls each GET of `/openapi.json` under `/v1/ec` that asks for no more than days, for each customer of the user.
 * @returns how many were called, and those whose answer was no success, with it
 */
export async function callLists(
  url: string,
  portal: Portal,
): Promise<{ readonly called: number; readonly failed: string[] }> {
  interface Operation {
    readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  }
  const { paths } = JSON.parse((await ask(`${url}/openapi.json`)).text) as {
    paths: Record<string, { get?: Operation }>;
  };
  const days = { dateFrom: '2025-01-01', dateTo: '2026-12-31' };
  const asked = Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? [];
    const needed = parameters.filter(({ required }) => required).map(({ name }) => name);
    if (get === undefined || !path.startsWith('/v1/ec/') || needed.some((name) => !(name in days))) return [];
    return [
      parameters.some(({ name }) => name === 'dateFrom') ? `${path}?${new URLSearchParams(days)}` : path,
    ];
  });
  const failed: string[] = [];
  const customers = await customersOf(portal);
  for (const customerId of customers)
    for (const path of asked) {
      const { status, text } = await portal.get(path, customerId);
      // 404 is what a brand does not offer, or what this customer does not have.
      if (status !== 404 && status >= 400) failed.push(`${path}: ${status} ${text.slice(0, 200)}`);
    }
  return { called: asked.length * customers.length, failed };
}

/** Pays an invoice by its link with a card that is taken. @returns what the payer is told, such as `succeeded` */
export async function payByLink(url: string, { payToken, number }: ListedInvoice): Promise<string> {
  const details = await ask(`${url}/v1/ec/payment/details/${payToken}`);
  const { invoiceAmount } = dataOf<{ invoiceAmount: number | string }>(details, 'details');
  const body = {
    uid: payToken,
    invoiceNumber: number,
    invoiceAmount: String(invoiceAmount),
    cardHolder: 'Sam Payer',
    billingAddress: {
      address: '1 Quay Street',
      city: 'Auckland',
      state: 'Auckland',
      zip: '1010',
      country: 'NZ',
    },
    cardToken: 'tok_visa',
  };
  const answer = await ask(`${url}/v1/ec/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return dataOf<{ status: string }>(answer, 'pay').status;
}
