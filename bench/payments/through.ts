import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, payerPage } from '../../apps/api/test/fixtures/paying/gateways/payer-page.ts';
import { addressSetting, resolveAddresses } from '../../packages/gateways/src/port/addresses.ts';
import { PASSWORD, type Payable, type PaymentsWorld, type Shop } from './world.ts';

const PAYERS = 24;
/** What an answer may say of money that is taken, or on its way. */
const paid = new Set(['succeeded', 'processing']);

interface Timed {
  readonly seconds: number;
  /** Milliseconds of each payment, with what its page asks for before. */
  readonly waits: readonly number[];
}

type Headers = Readonly<Record<string, string>>;

/**
 * Pays all that a shop's customers owe: by link with a method that is typed, or, where the gateway takes none of these, with one that
 * each customer saves before.
 * @throws {Error} when a payment is refused
 */
export async function payThrough({ port, sandboxUrl }: PaymentsWorld, shop: Shop): Promise<Timed> {
  const { gateway, payables } = shop;
  const { manifest, good: method } = gateway;
  let calls = 0;
  const call = async (verb: string, path: string, body?: object | string, headers: Headers = {}) => {
    calls += 1;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: verb,
      headers: {
        'content-type': typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
        'x-forwarded-for': `10.9.${(calls >> 8) & 255}.${calls & 255}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed = (text === '' ? {} : JSON.parse(text)) as { readonly data?: unknown };
    return { status: answer.status, text, data: parsed.data ?? parsed };
  };
  const settings = gateway.data.sandbox.settings;
  const account = () => ({
    settings,
    addresses: resolveAddresses(manifest, { [addressSetting(manifest)]: sandboxUrl }),
    fetch,
  });
  const page = payerPage({
    gateway,
    account,
    isPrepared: async () => gateway.prepares,
    post: (path, body, headers) => call('POST', path, body, headers),
  });
  const expectPaid = ({ status, text, data }: Answered) => {
    const said = (data as { readonly status?: string } | undefined)?.status ?? '';
    if (status !== 200 || !paid.has(said)) throw new Error(`${gateway.name} answered ${status}: ${text}`);
  };

  const signIn = async (email: string): Promise<Headers> => {
    const form = {
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username: email,
      password: PASSWORD,
    };
    const { data } = await call('POST', '/token', new URLSearchParams(form).toString());
    return { authorization: `Bearer ${(data as { access_token: string }).access_token}` };
  };
  /** Saves the method over the gateway's page; @returns its id */
  const saveOverPage = async (headers: Headers): Promise<string> => {
    const path = `/v1/ec/payments/setup-intent?paymentMethodType=${method.scheme}`;
    const { data } = await call('GET', path, undefined, headers);
    const { redirectToUrl: to, reqUid } = data as { redirectToUrl: string; reqUid: string };
    await method.play?.({ do: 'redirect', to }, account());
    const asked = () => call('POST', '/v1/ec/payments/setup-intent/result', { reqUid }, headers);
    for (let tries = 0; tries < 100; tries += 1) {
      await asked();
      const list = await call('GET', manifest.saved?.paths.accounts ?? '', undefined, headers);
      const [ready] = list.data as { readonly id: string }[];
      if (ready !== undefined) return ready.id;
      await sleep(100);
    }
    throw new Error(`${gateway.name} saved nothing`);
  };

  const saved = new Map<string, { readonly headers: Headers; readonly id: string }>();
  if (method.play !== undefined) {
    for (const [customerId, email] of shop.users) {
      const headers = await signIn(email);
      saved.set(customerId, { headers, id: await saveOverPage(headers) });
    }
  }
  const pay = async (invoice: Payable): Promise<void> => {
    const kept = saved.get(invoice.customerId);
    if (kept === undefined) {
      const { path, body } = await page.link(invoice, method);
      return expectPaid(await call('POST', path, body as object));
    }
    const intents = '/v1/ec/payments/intents';
    const intent = await call('POST', intents, { invoiceIds: [invoice.id] }, kept.headers);
    const { sessionId: uid } = intent.data as { readonly sessionId: string };
    const body = { uid, cardId: kept.id };
    expectPaid(await call('POST', '/v1/ec/payments/pay/bulk', body, kept.headers));
  };

  const waits: number[] = [];
  const queue = payables.values();
  const start = performance.now();
  const payer = async () => {
    for (const invoice of queue) {
      const began = performance.now();
      await pay(invoice);
      waits.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: PAYERS }, payer));
  return { seconds: (performance.now() - start) / 1_000, waits };
}
