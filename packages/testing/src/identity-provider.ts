import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package brings no types; what is used of it is written down below
import UntypedProvider from 'oidc-provider';

/** What the provider says about a person. */
export interface Person {
  /** By which the provider knows them; a new one each time where it is left out. */
  readonly sub?: string;
  readonly email?: string;
  readonly email_verified?: unknown;
}

/** An OpenID provider of its own kind (`oidc-provider`) on the loopback interface, with one client. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is signed in without being asked; undefined: a page asks for an address. */
  person: Person | undefined;
  /** Runs when a code has been traded, before the answer is sent. */
  afterTrade: () => void;
  /** Paths it was asked for, in order. */
  readonly asked: readonly string[];
  /** Signs with a new key from now on. @param isPublished false: nobody is told the new key */
  changeKey(isPublished: boolean): void;
  stop(): Promise<void>;
}

export interface IdentityProviderOptions {
  readonly redirectUris: readonly string[];
  /** Life of an ID token, seconds. */
  readonly idTokenSeconds?: number;
  /** Puts the claims into the ID token too; else they are behind the userinfo endpoint only. */
  readonly claimsInIdToken?: boolean;
}

interface Interacting {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  on(event: 'grant.success', listener: () => void): void;
}
const Provider = UntypedProvider as new (issuer: string, configuration: object) => Interacting;

/** What the provider hands to the functions of its configuration, as far as they use it. */
interface Context {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
  };
}

/** Starts a provider on a free port. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { promise: current, resolve } =
    Promise.withResolvers<(request: IncomingMessage, response: ServerResponse) => Promise<void>>();
  const server = createServer((request, response) => {
    void current
      .then((handle) => handle(request, response))
      .catch((error: Error) => response.writeHead(500).end(error.stack));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: 'counterfoil', secret: randomBytes(16).toString('hex') };
  const Adapter = memoryAdapter();
  const people = new Map<string, Person>();
  const asked: string[] = [];
  const make = (): Interacting => {
    const provider = new Provider(issuer, configurationOf(options, client, Adapter, people));
    provider.on('grant.success', () => facade.afterTrade());
    return provider;
  };
  const facade: IdentityProvider = {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    person: undefined,
    asked,
    afterTrade: () => undefined,
    changeKey(isPublished) {
      provider = make();
      if (isPublished) publisher = provider;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  let provider = make();
  let publisher = provider;

  const finish = (request: IncomingMessage, response: ServerResponse, person: Person | undefined) => {
    if (person === undefined) {
      return provider.interactionFinished(request, response, { error: 'access_denied' });
    }
    const accountId = person.sub ?? randomUUID();
    people.set(accountId, person);
    return provider.interactionFinished(request, response, { login: { accountId } });
  };
  resolve(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    asked.push(pathname);
    if (!pathname.startsWith('/interaction/')) {
      (pathname === '/jwks' ? publisher : provider).callback()(request, response);
    } else if (request.method === 'POST') {
      const email = (await formOf(request)).get('email');
      const sub = `person-${email}`;
      await finish(request, response, email ? { sub, email, email_verified: true } : undefined);
    } else if (facade.person !== undefined) await finish(request, response, facade.person);
    else response.setHeader('content-type', 'text/html').end(signInPage);
  });
  return facade;
}

const signInPage = `<!doctype html><html lang="en"><title>Company sign-in</title><h1>Company sign-in</h1>
<form method="post"><label>Address <input name="email" autofocus></label><button>Continue</button></form></html>`;

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const part of request) text += String(part);
  return new URLSearchParams(text);
}

function configurationOf(
  options: IdentityProviderOptions,
  client: { readonly id: string; readonly secret: string },
  adapter: unknown,
  people: ReadonlyMap<string, Person>,
): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' };
  const seconds = options.idTokenSeconds ?? 600;
  return {
    adapter,
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: options.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [client.secret] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: options.claimsInIdToken !== true,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: Context, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context: Context, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    // Nobody is asked what the client may see.
    async loadExistingGrant({ oidc }: Context) {
      const { clientId } = oidc.client;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ttl: Object.fromEntries(
      ['AccessToken', 'AuthorizationCode', 'Grant', 'Interaction', 'Session']
        .map((name): [string, number] => [name, 3_600])
        .concat([['IdToken', seconds]]),
    ),
  };
}

/** Where the provider keeps its codes and sessions. */
function memoryAdapter() {
  const stored = new Map<string, Record<string, unknown>>();
  return class {
    readonly #kind: string;

    constructor(kind: string) {
      this.#kind = kind;
    }

    #key = (id: string) => `${this.#kind} ${id}`;
    upsert = async (id: string, payload: Record<string, unknown>) => void stored.set(this.#key(id), payload);
    find = async (id: string) => stored.get(this.#key(id));
    findByUid = async (uid: string) => [...stored.values()].find((payload) => payload['uid'] === uid);
    consume = async (id: string) => {
      Object.assign(stored.get(this.#key(id)) ?? {}, { consumed: Math.floor(Date.now() / 1000) });
    };
    destroy = async (id: string) => void stored.delete(this.#key(id));
    revokeByGrantId = async (grantId: string) => {
      for (const [key, payload] of stored) if (payload['grantId'] === grantId) stored.delete(key);
    };
  };
}
