import type { EntryConfig, PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import type { PaymentDetails } from '@counterfoil/contract/paying/payment-methods.ts';
import type { PaymentInfoAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import type { Page, Route } from '@playwright/test';
import { withoutServedPayment } from './pay-page.ts';

/**
 * Pages of a gateway that enters methods in another way than the sandbox's: the browser is told of that way, and what it sends
 * is caught. Everything between is the product's.
 */
export interface Caught {
  /** Bodies of the paying or saving calls. */
  readonly sent: Record<string, unknown>[];
  /** What was posted into the provider's frame. */
  readonly posted: string[];
  /** How many entries were made. */
  entries: number;
}

/** A way of entry without code of the gateway's own. */
export const wayOf = (how: EntryConfig['how'], over: Partial<EntryConfig> = {}): EntryConfig => ({
  integrationType: 'Other',
  how,
  public: {},
  separateInputs: true,
  formFields: [],
  isPrepared: how === 'providerFrame',
  ...over,
});

/** The provider's page in a frame, whose button says that it is done; `refuse` sends a short message. */
const framePage = `<!doctype html><html lang="en"><title>Provider</title><body style="font: 15px sans-serif; margin: 16px">
<label>Card number <input id="n"></label>
<button onclick="parent.postMessage('000', '*')">Done</button>
<button onclick="parent.postMessage('Do not honour', '*')">Refuse</button></body></html>`;

interface OtherPage {
  /** Answers of `POST …/entries`, in their order; the last one repeats. A number is a status. */
  readonly entries?: readonly (PreparedEntry['action'] | number)[];
  /** Where the provider's page is. */
  readonly frameUrl?: string;
  /** How long the first entry can be used, milliseconds; all others for as long as the page stands. */
  readonly firstLivesMs?: number;
}

/** The answer of the server itself: names below `.localhost` are the browser's alone. */
function fetched(route: Route) {
  const url = new URL(route.request().url());
  url.hostname = '127.0.0.1';
  return route.fetch({ url: url.href });
}

const json = (data: unknown) => ({ contentType: 'application/json', body: JSON.stringify({ data }) });

async function answerEntries(
  page: Page,
  caught: Caught,
  { entries = [], frameUrl, firstLivesMs }: OtherPage,
): Promise<void> {
  await page.route(/\/v1\/ec\/(payments|pay\/[^/]+)\/entries$/, async (route) => {
    const answer = entries[Math.min(caught.entries, entries.length - 1)];
    caught.entries += 1;
    if (typeof answer === 'number')
      return route.fulfill({
        status: answer,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'server.unavailable', message: 'not now' }),
      });
    const until =
      caught.entries === 1 && firstLivesMs !== undefined
        ? { until: new Date(Date.now() + firstLivesMs).toISOString() }
        : {};
    return route.fulfill(
      json({ entryId: `0190a000-0000-7000-8000-00000000000${caught.entries}`, action: answer, ...until }),
    );
  });
  if (frameUrl !== undefined)
    await page.route(frameUrl, (route) => {
      const posted = route.request().postData();
      if (posted !== null) caught.posted.push(posted);
      return route.fulfill({ contentType: 'text/html', body: framePage });
    });
}

/** A pay link's page. @param change of what the server tells of it */
export async function otherPayPage(
  page: Page,
  change: (info: PaymentInfoAnswer) => Partial<PaymentInfoAnswer>,
  other: OtherPage = {},
): Promise<Caught> {
  const caught: Caught = { sent: [], posted: [], entries: 0 };
  await withoutServedPayment(page);
  await page.route('**/v1/ec/payment/details/*', async (route) => {
    const answer = await fetched(route);
    const { data } = (await answer.json()) as { data: PaymentInfoAnswer };
    await route.fulfill(json({ ...data, ...change(data) }));
  });
  await answerEntries(page, caught, other);
  await page.route('**/v1/ec/pay', async (route) => {
    caught.sent.push(route.request().postDataJSON());
    await route.fulfill(json({ status: 'succeeded', reference: 'REF000000000000001', amount: 12 }));
  });
  return caught;
}

/** The page of saved methods, or of several invoices paid at once. */
export async function otherMethodsPage(
  page: Page,
  change: (details: PaymentDetails) => Partial<PaymentDetails>,
  other: OtherPage = {},
): Promise<Caught> {
  const caught: Caught = { sent: [], posted: [], entries: 0 };
  await page.route('**/v1/ec/payments/details', async (route) => {
    const answer = await fetched(route);
    const { data } = (await answer.json()) as { data: PaymentDetails };
    await route.fulfill(json({ ...data, ...change(data) }));
  });
  await answerEntries(page, caught, other);
  await page.route('**/v1/ec/payments/pay/bulk', async (route) => {
    caught.sent.push(route.request().postDataJSON());
    await route.fulfill(json({ status: 'failed', message: 'Declined by the provider', reference: 'REF1' }));
  });
  await page.route(/\/v1\/ec\/(other|payments)\/(cards|ach)$/, async (route) => {
    if (route.request().method() !== 'POST')
      return route.request().url().includes('/other/') ? route.fulfill(json([])) : route.fallback();
    caught.sent.push(route.request().postDataJSON());
    return route.fulfill(json({ status: 'succeeded', reqUid: '0190a000-0000-7000-8000-0000000000ff' }));
  });
  return caught;
}
