import { randomUUID } from 'node:crypto';
import { companyKey } from '@counterfoil/domain/sso-error.ts';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
} from '@counterfoil/testing/identity-provider.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { TestFixture } from './test-fixture.ts';

export const HOST = 'portal.localhost';
export const PUBLIC_URL = `http://${HOST}:3000`;
export const ssoEnv = () => ({ PUBLIC_URL });

/** A browser: what it was given to keep, by host. */
export type Browser = Map<string, Map<string, string>>;
export const newBrowser = (): Browser => new Map();

export interface Company {
  readonly id: string;
  readonly name: string;
  readonly resellerId: number;
  readonly customerId: string;
  /** A user of the company. */
  readonly user: { readonly id: string; readonly email: string };
}

export interface SsoFixture {
  readonly provider: IdentityProvider;
  /** A company with single sign-on through the provider, one customer and one user, whom the provider vouches for. */
  company(over?: { readonly issuer?: string; readonly domains?: readonly string[] }): Promise<Company>;
  /** Asks to begin. @returns where the browser is sent */
  begin(browser: Browser, query: Readonly<Record<string, string>>, host?: string): Promise<string>;
  /** From the provider's address to the one it sends the browser back to. */
  visit(browser: Browser, address: string): Promise<string>;
  /** Brings the browser back. @returns where it is sent */
  finish(browser: Browser, address: string): Promise<string>;
  /** All of it. @returns where the browser ends */
  signIn(browser: Browser, company: Pick<Company, 'name'>, r?: string): Promise<string>;
  /** Trades a code as the sign-in page does. */
  trade(
    browser: Browser,
    code: string,
    over?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
  /** Why sign-ins of a company were refused, in order. */
  refusals(company: Pick<Company, 'resellerId'>): Promise<{ reason: string; code?: string }[]>;
}

/** A fixture with an independent OpenID provider beside it. */
export function useSso(fixture: TestFixture, options: Partial<IdentityProviderOptions> = {}): SsoFixture {
  let started: IdentityProvider | undefined;
  const provider = (): IdentityProvider => {
    if (started === undefined) throw new Error('the provider exists in hooks and tests only');
    return started;
  };
  beforeAll(async () => {
    started = await startIdentityProvider({ redirectUris: [`${PUBLIC_URL}/sso/callback`], ...options });
  });
  beforeEach(() => {
    provider().afterTrade = () => undefined;
  });
  afterAll(() => started?.stop());

  const get = async (browser: Browser, url: string, host: string) => {
    const answer = await fixture.app.inject({ url, headers: { host, cookie: cookiesOf(browser, host) } });
    keep(browser, host, [answer.headers['set-cookie'] ?? []].flat());
    if (answer.statusCode !== 303) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
    return String(answer.headers.location);
  };
  const sso: SsoFixture = {
    get provider() {
      return provider();
    },
    async company(over = {}) {
      const { reseller, customer } = await fixture.seedPayer();
      const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
      const id = randomUUID();
      const name = `Harbour ${id.slice(0, 8)}`;
      const pool = fixture.database.pool();
      const { clientId, clientSecret, issuer } = provider();
      await pool.query(
        `insert into company (id, reseller_id, name, name_key, issuer, client_id, client_secret, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, now())`,
        [
          id,
          reseller.id,
          name,
          companyKey(name),
          over.issuer ?? issuer,
          clientId,
          fixture.deps.secrets.seal(clientSecret, id),
        ],
      );
      await pool.query('insert into company_customer (company_id, customer_id) values ($1, $2)', [
        id,
        customer.id,
      ]);
      for (const domain of over.domains ?? []) {
        await pool.query('insert into company_domain (domain, company_id) values ($1, $2)', [domain, id]);
      }
      provider().person = { email: user.email, email_verified: true };
      return { id, name, resellerId: reseller.id, customerId: customer.id, user };
    },
    begin: (browser, query, host = HOST) => get(browser, `/sso/login?${new URLSearchParams(query)}`, host),
    async visit(browser, address) {
      let url = address;
      for (let hop = 0; hop < 10 && url.startsWith(provider().issuer); hop += 1) {
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: { cookie: cookiesOf(browser, 'provider') },
        });
        keep(browser, 'provider', answer.headers.getSetCookie());
        const next = answer.headers.get('location');
        if (next === null) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
        url = new URL(next, url).href;
      }
      return url;
    },
    finish(browser, address) {
      const { pathname, search, hostname } = new URL(address);
      return get(browser, `${pathname}${search}`, hostname);
    },
    async signIn(browser, company, r) {
      const begun = await sso.begin(browser, { b: company.name, ct: '2', ...(r === undefined ? {} : { r }) });
      return sso.finish(browser, await sso.visit(browser, begun));
    },
    trade: (browser, code, over = {}) =>
      fixture.app.inject({
        method: 'POST',
        url: '/token',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: cookiesOf(browser, HOST),
        },
        payload: new URLSearchParams({
          client_id: 'counterfoil-portal',
          grant_type: 'authorization_code',
          code,
          redirect_uri: `${PUBLIC_URL}/login`,
          ...over,
        }).toString(),
      }),
    async refusals({ resellerId }) {
      const { rows } = await fixture.database
        .pool()
        .query<{ detail: { reason: string; code?: string } }>(
          "select detail from audit_event where action = 'sso.refused' and reseller_id = $1 order by id",
          [resellerId],
        );
      return rows.map(({ detail }) => detail);
    },
  };
  return sso;
}

/** The parameters of the sign-in page a browser was sent to. */
export function signInPage(address: string): Record<string, string> {
  const url = new URL(address, PUBLIC_URL);
  if (url.pathname !== '/login') throw new Error(`not the sign-in page: ${address}`);
  return Object.fromEntries(url.searchParams);
}

function cookiesOf(browser: Browser, host: string): string {
  return [...(browser.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
}

function keep(browser: Browser, host: string, cookies: readonly string[]): void {
  const kept = browser.get(host) ?? new Map<string, string>();
  browser.set(host, kept);
  for (const cookie of cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') kept.delete(name);
    else kept.set(name, value);
  }
}
