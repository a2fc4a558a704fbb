import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeClock } from '@counterfoil/testing/clock.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HOST, newBrowser, signInPage, ssoEnv, useSso } from '../../../test/fixtures/sso-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { IdentityProviders } from './identity-provider.ts';

const clock = fakeClock();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A provider that answers every request in this way. @returns its address, and how often it was asked */
async function answering(answer: (response: ServerResponse, issuer: string) => void) {
  const asked = { count: 0 };
  const server = createServer((_request, response) => {
    asked.count += 1;
    answer(response, issuer);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, asked };
}
const json = (response: ServerResponse, body: object) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
const documentOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
});
const providers = (timeoutMs = 5_000) => new IdentityProviders({ clock, timeoutMs });
const codeOf = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => 'believed',
    (error: { name: string; code: string }) => (error.name === 'ProviderFailed' ? error.code : String(error)),
  );

describe('what a provider says about itself', () => {
  it('is asked once by many people at once, remembered for ten minutes, then asked again', async () => {
    const { issuer, asked } = await answering((response, at) => json(response, documentOf(at)));
    const one = providers();
    await Promise.all(Array.from({ length: 20 }, () => one.discover(issuer)));
    expect(asked.count).toBe(1);
    clock.advance(10 * 60_000 - 1);
    await one.discover(issuer);
    expect(asked.count).toBe(1);
    clock.advance(1);
    await one.discover(issuer);
    expect(asked.count).toBe(2);
  });

  it('that does not come is waited for no longer than the time-out, by many people together', async () => {
    const { issuer, asked } = await answering(() => undefined);
    const one = providers(400);
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(one.discover(issuer))));
    expect(new Set(codes)).toEqual(new Set(['OAUTH_TIMEOUT']));
    expect(asked.count).toBeLessThan(2);
  });

  it('that drips is not waited for either', async () => {
    const { issuer } = await answering((response) => {
      response.setHeader('content-type', 'application/json').write('{');
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    });
    expect(await codeOf(providers(150).discover(issuer))).toBe('OAUTH_TIMEOUT');
  });

  it.each<[string, (response: ServerResponse, issuer: string) => void]>([
    ['a page', (response) => response.setHeader('content-type', 'text/html').end('<h1>Hello')],
    [
      'the metadata of a SAML provider',
      (response, issuer) =>
        response
          .setHeader('content-type', 'application/samlmetadata+xml')
          .end(`<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}"/>`),
    ],
    ['no JSON', (response) => response.setHeader('content-type', 'application/json').end('{"issuer":')],
    ['an array', (response) => json(response, [])],
    ['nothing', (response) => response.end()],
    ['an error', (response) => response.writeHead(500).end('{}')],
    ['a broken connection', (response) => response.destroy()],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['another issuer', (response) => json(response, documentOf('https://evil.example'))],
    ['no endpoints', (response, issuer) => json(response, { issuer })],
    [
      'addresses that are none',
      (response, issuer) => json(response, { ...documentOf(issuer), jwks_uri: 'x' }),
    ],
    [
      'more than a megabyte',
      (response, issuer) => json(response, { ...documentOf(issuer), x: 'x'.repeat(2 ** 20) }),
    ],
  ])('is not believed when it is %s, nor remembered [decisions.2.sso-no-saml]', async (_what, answer) => {
    const { issuer, asked } = await answering(answer);
    const one = providers();
    expect(await codeOf(one.discover(issuer))).not.toBe('believed');
    expect(await codeOf(one.discover(issuer))).not.toBe('believed');
    expect(asked.count).toBe(2);
  });

  it('is not believed when it speaks for everybody’s people, not the company’s alone', async () => {
    const anybody = 'https://login.microsoftonline.com/common/v2.0';
    const answer = documentOf('https://login.microsoftonline.com/{tenantid}/v2.0');
    vi.stubGlobal('fetch', async () => Response.json(answer));
    expect(await codeOf(providers().discover(anybody))).toBe('other issuer');
  });

  it('is not asked for in the clear, except on this machine', async () => {
    const refused = /^(address without https|OAUTH_REQUEST_PROTOCOL_FORBIDDEN)$/;
    const addresses = [
      'http://idp.example',
      'http://10.0.0.1',
      'http://127.0.0.1.example',
      'ftp://idp.example',
    ];
    for (const issuer of addresses) {
      expect(await codeOf(providers().discover(issuer))).toMatch(refused);
    }
  });

  it('is no help when the code is then not traded in time', async () => {
    let asked = 0;
    const { issuer } = await answering((response, at) => {
      asked += 1;
      if (asked === 1) json(response, documentOf(at));
    });
    const registration = { issuer, clientId: 'c', clientSecret: 's' };
    const visit = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    const one = providers(400);
    await one.discover(issuer);
    const back = new URL('https://us.example/cb?code=c&state=s');
    expect(await codeOf(one.verifiedPerson(registration, back, visit))).toBe('OAUTH_TIMEOUT');
  });

  it('does not send the browser, or our secret, to an address in the clear', async () => {
    const visit = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    const registration = (issuer: string) => ({ issuer, clientId: 'c', clientSecret: 's' });
    const start = await answering((response, at) =>
      json(response, { ...documentOf(at), authorization_endpoint: 'http://idp.example/auth' }),
    );
    expect(
      await codeOf(providers().signInAddress(registration(start.issuer), 'https://us.example/cb', visit)),
    ).toBe('insecure authorization endpoint');
    const trade = await answering((response, at) =>
      json(response, { ...documentOf(at), token_endpoint: 'http://idp.example/token' }),
    );
    const back = new URL('https://us.example/cb?code=c&state=s');
    const code = await codeOf(providers().verifiedPerson(registration(trade.issuer), back, visit));
    expect(code).toBe('address without https');
  });
});

describe('a provider that puts the claims into the ID token', () => {
  const fixture = useFixture({ env: ssoEnv });
  const sso = useSso(fixture, { claimsInIdToken: true });

  it('is not asked for them again', async () => {
    const company = await sso.company();
    const browser = newBrowser();
    expect(signInPage(await sso.signIn(browser, company))).toHaveProperty('code');
    expect(sso.provider.asked).not.toContain('/me');
    expect(browser.get(HOST)?.size).toBe(1);
  });
});
