import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type Caller, dataOf, Refused } from './caller.ts';
import type { DayServer } from './server.ts';

/** Somebody who uses the portal: what they do once, from beginning to end. */
export type Visit = () => Promise<void>;

export const PASSWORD = 'Ledger!2026';
const MAKING_MS = 200;
const LONGEST_MAKING = 100;
/** Of a token, for one call on a busy machine. */
const RENEWALS = 3;

/** A call of somebody who is signed in, below `/v1/ec/`; with a body a POST. */
export type Ask = (path: string, body?: object) => Promise<string>;

/**
 * Signs in, does something, and signs out: a session each time. What is refused because the token has run out meanwhile, which is soon
 * with such a clock, is asked again with a new one, as browsers do.
 * @param as e-mail address of a user of the demo world
 */
export async function signedIn(caller: Caller, as: string, work: (ask: Ask) => Promise<void>): Promise<void> {
  const grant = async (form: Readonly<Record<string, string>>): Promise<Tokens> => {
    const body = new URLSearchParams(Object.assign({ client_id: 'counterfoil-portal' }, form)).toString();
    return JSON.parse(
      await caller.send({ path: '/token', body, type: 'application/x-www-form-urlencoded' }),
    ) as Tokens;
  };
  let tokens = await grant({ grant_type: 'password', username: as, password: PASSWORD });
  const send = async (call: Call): Promise<string> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await caller.send(Object.assign({ token: tokens.access_token }, call));
      } catch (error) {
        if (!(error instanceof Refused && error.status === 401) || tries === RENEWALS) throw error;
        tokens = await grant({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
      }
    }
  };
  await work((path, body) => send({ path: `/v1/ec/${path}`, ...(body === undefined ? {} : { body }) }));
  await send({ method: 'POST', path: '/v1/ec/logout', expected: 204 });
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Visits of people who read. */
export function openDesk(
  { demo }: DayServer,
  caller: Caller,
): Readonly<Record<'readPortal' | 'readUsage' | 'printPapers' | 'makeReport' | 'lookAround', Visit>> {
  const [reader] = demo.users;
  if (reader === undefined) throw new Error('the demo world has no users');
  const { email } = reader;
  const invoices = demo.invoices.filter(({ customerId }) => reader.customerIds.includes(customerId));
  let turn = 0;
  const next = <Item>(items: readonly Item[]): Item => {
    turn += 1;
    const item = items[turn % items.length];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  };
  const year = '2026-01-01&dateTo=2026-10-31';
  const orders = ['date', 'price', 'units', 'serviceItemName', 'costCentre'];
  return {
    readPortal: () =>
      signedIn(caller, email, async (get) => {
        await caller.send({ path: '/' });
        for (const list of ['me', 'invoices', 'invoices/overview', 'next-bill', 'service-items'])
          await get(list);
        await get(`invoice/${next(invoices).id}`);
        await get(`statement?dateFrom=${year}`);
        for (const one of ['preferences', 'credit', 'bundle-widget', 'payments/details']) await get(one);
      }),
    readUsage: () =>
      signedIn(caller, email, async (get) => {
        for (const list of ['services', 'record-types', 'agreements']) await get(list);
        const range = `dateFrom=${year}`;
        await get(`usage/summary?${range}`);
        for (let page = 1; page <= 3; page += 1)
          await get(`usage?${range}&pageNumber=${page}&pageSize=25&order=${next(orders)}`);
        const parameters = { startDate: '2026-08-01 00:00:00', endDate: '2026-10-31 23:59:59' };
        await get('usage/download', { parameters });
      }),
    printPapers: () =>
      signedIn(caller, email, async (get) => {
        await get(`invoices/${next(invoices).id}`);
        await get(`statement/pdf?dateFrom=${year}`);
        await get(`invoice/${next(invoices).id}/usage.csv`);
      }),
    makeReport: () =>
      signedIn(caller, email, async (get) => {
        const parameters = [
          { name: 'StartDate', value: '08.01.2026 00:00:00' },
          { name: 'EndDate', value: '10.31.2026 23:59:59' },
        ];
        const body = { id: 'invoice-details', parameters, exportTypeId: next([1, 2, 3]) };
        const { reportId } = dataOf<{ reportId: string }>(await get('reports', body));
        for (let tries = 0; tries < LONGEST_MAKING; tries += 1) {
          const { path } = dataOf<{ path: string | null }>(await get(`reports/status/${reportId}`));
          if (path !== null) {
            await get(`reports/blob/${path}`);
            return;
          }
          await sleep(MAKING_MS);
        }
        throw new Error('a report was not made');
      }),
    async lookAround() {
      for (const path of ['/sign-in', '/admin', '/reset-password']) await caller.send({ path });
      const link = next(demo.invoices.filter(({ payLink }) => payLink !== null)).payLink ?? '';
      const token = link.slice(link.lastIndexOf('/') + 1);
      await caller.send({ path: `/pay/${token}` });
      await caller.send({ path: `/v1/ec/payment/invoice/${token}` });
      await caller.send({
        path: '/token',
        body: 'client_id=counterfoil-portal&grant_type=password&username=nobody&password=wrong',
        type: 'application/x-www-form-urlencoded',
        expected: 400,
      });
    },
  };
}
