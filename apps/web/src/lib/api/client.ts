import type { CUSTOMER_HEADER } from '@counterfoil/contract/envelope.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { TabLock } from '../session/tab-lock.ts';
import { errorFrom } from './api-error.ts';
import { type Api, type Call, callsOver, createSender, type Hosts, REQUEST_TIMEOUT_MS } from './calls.ts';
import { createRefresher } from './refresh.ts';
import { requestToken } from './token.ts';

const customerHeader: typeof CUSTOMER_HEADER = 'x-customer-id';

export interface ApiParts {
  readonly fetch: typeof fetch;
  readonly session: SessionStore;
  readonly lock: TabLock;
  readonly hosts: Hosts;
  /** The stored session was cleared: go to the sign-in page. */
  readonly onSignedOut: () => void;
  /** The chosen customer is not the user's: forget the choice and load the page again, once. */
  readonly onForeignCustomer: () => void;
  /** The brand asks for a second factor that the person does not have: nothing else is open until it is set up. */
  readonly onSecondFactorRequired: () => void;
}

/** The portal's one way to the server: token, customer, time-out, one refresh, one shape of errors. */
export function createApi(parts: ApiParts): Api {
  const { session, hosts } = parts;
  const refresher = createRefresher({
    session,
    lock: parts.lock,
    onSignedOut: parts.onSignedOut,
    trade: (refreshToken) =>
      requestToken(
        parts.fetch,
        hosts.api,
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ),
  });

  const sender = createSender(parts.fetch, hosts);
  const attempt = (call: Call, token: string) => {
    const customer = session.customerId();
    return sender(call, {
      Authorization: `Bearer ${token}`,
      ...(customer !== null && { [customerHeader]: customer }),
    });
  };

  return callsOver(async (call) => {
    // Its failure belongs to the calls that caused it; this one finds out by itself.
    await refresher.underWay()?.catch(() => undefined);
    const token = session.auth()?.access_token;
    if (token === undefined) throw refresher.signOut();
    let response = await attempt(call, token);
    if (response.status === 401) {
      const fresh = await refresher.renew(token);
      response = await attempt(call, fresh.access_token);
      // A brand-new token that is refused: the session was ended on the server.
      if (response.status === 401) throw refresher.signOut(await errorFrom(response));
    }
    if (response.ok) return response;
    const error = await errorFrom(response);
    if (error.code === 'customer.notYours') parts.onForeignCustomer();
    if (error.code === 'secondFactor.required') parts.onSecondFactorRequired();
    throw error;
  });
}
