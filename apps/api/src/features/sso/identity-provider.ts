import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  genericGrantRequest,
  None,
  ResponseBodyError,
  randomPKCECodeVerifier,
  type ServerMetadata,
} from 'openid-client';
import type { Clock } from '../../deps.ts';
import { isSpeakable } from '../../tls.ts';
import { guardedFetch } from './guarded-fetch.ts';

/** How this installation is known to a company's OpenID provider. */
export interface Registration {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a client without a secret; PKCE alone protects the code. */
  readonly clientSecret: string | null;
}

/** What ties a visit to the provider to its answer. */
export interface Visit {
  readonly state: string;
  readonly nonce: string;
  /** PKCE. */
  readonly verifier: string;
}

/** Whom a provider vouches for. */
export interface VerifiedPerson {
  readonly email: string;
  /** By which the provider knows them; it never gives it to anybody else. */
  readonly subject: string;
}

/** The provider cannot be used, or its answer not be believed. `code` says why, for the operator. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super(`the identity provider failed: ${code}`, { cause });
    this.code = code;
  }
}

export interface IdentityProviderOptions {
  readonly clock: Clock;
  /** The longest wait for one answer of a provider, milliseconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** A sign-in asks the provider up to three things; the person waits no longer than this for all of them. */
const ALL_WITHIN = 2;
const DISCOVERY_LIFE_MS = 10 * 60_000;
const CLOCK_TOLERANCE_SECONDS = 60;

/** OpenID Connect with the companies' own providers (authorization code, PKCE), through `openid-client`. */
export class IdentityProviders {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #known = new Map<string, { readonly metadata: ServerMetadata; readonly until: number }>();
  readonly #asking = new Map<string, Promise<ServerMetadata>>();

  constructor(options: IdentityProviderOptions) {
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /**
   * What a provider says about itself; remembered for ten minutes, a failure never.
   * @throws {ProviderFailed}
   */
  async discover(issuer: string): Promise<ServerMetadata> {
    const known = this.#known.get(issuer);
    const now = this.#clock.now().getTime();
    if (known !== undefined && known.until > now) return known.metadata;
    // However many people come at once, a slow provider is asked once.
    const asking = this.#asking.get(issuer) ?? this.#ask(issuer).finally(() => this.#asking.delete(issuer));
    this.#asking.set(issuer, asking);
    const metadata = await asking;
    this.#known.set(issuer, { metadata, until: now + DISCOVERY_LIFE_MS });
    return metadata;
  }

  /** Where the browser goes to sign in. @throws {ProviderFailed} */
  async signInAddress(registration: Registration, redirectUri: string, visit: Visit): Promise<URL> {
    return believed(async () => {
      const url = buildAuthorizationUrl(await this.#configuration(registration), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: visit.state,
        nonce: visit.nonce,
        code_challenge: await calculatePKCECodeChallenge(visit.verifier),
        code_challenge_method: 'S256',
      });
      if (!isSpeakable(url)) throw new ProviderFailed('insecure authorization endpoint');
      return url;
    });
  }

  /**
   * Trades the code the browser came back with.
   * @param currentUrl the address it came to, with its query
   * @returns the person whose e-mail address the provider has verified, or undefined when it does not say so
   * @throws {ProviderFailed}
   */
  async verifiedPerson(
    registration: Registration,
    currentUrl: URL,
    visit: Visit,
  ): Promise<VerifiedPerson | undefined> {
    return believed(async () => {
      const configuration = await this.#configuration(registration);
      const tokens = await authorizationCodeGrant(configuration, currentUrl, {
        expectedState: visit.state,
        expectedNonce: visit.nonce,
        pkceCodeVerifier: visit.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderFailed('no ID token');
      // Many providers put no more than the subject into the token and the rest behind the userinfo endpoint.
      const isToldAll = claims.email !== undefined && claims.email_verified !== undefined;
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const person =
        isToldAll || !hasMore ? claims : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const { email, email_verified: isVerified } = person;
      if (typeof email !== 'string' || email === '' || isVerified !== true) return undefined;
      return { email, subject: claims.sub };
    });
  }

  /**
   * Tries whether the provider takes this client, by trading a code that was never given out.
   * @returns undefined when it does; else what it said
   * @throws {ProviderFailed} when the provider itself cannot be used
   */
  async refusalOfClient(registration: Registration, redirectUri: string): Promise<string | undefined> {
    const configuration = await believed(() => this.#configuration(registration));
    try {
      await genericGrantRequest(configuration, 'authorization_code', {
        code: 'none',
        redirect_uri: redirectUri,
        code_verifier: randomPKCECodeVerifier(),
      });
    } catch (error) {
      const code = codeOf(error);
      // It knows the client, and not the code.
      return code === 'invalid_grant' ? undefined : code;
    }
    return 'a code of our own was taken';
  }

  async #configuration({ issuer, clientId, clientSecret }: Registration): Promise<Configuration> {
    const metadata = await this.discover(issuer);
    // A new one for each sign-in: keys are then fetched again, so that one that was exchanged or withdrawn counts at once.
    const configuration = new Configuration(
      metadata,
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      clientAuthentication(metadata, clientSecret),
    );
    configuration.timeout = this.#timeoutMs / 1000;
    configuration[customFetch] = guardedFetch(AbortSignal.timeout(this.#timeoutMs * ALL_WITHIN));
    // The ID token comes straight from the provider; its signature is checked all the same.
    enableNonRepudiationChecks(configuration);
    // Which addresses may be spoken to in the clear is decided by the fetch above.
    allowInsecureRequests(configuration);
    return configuration;
  }

  async #ask(issuer: string): Promise<ServerMetadata> {
    return believed(async () => {
      const configuration = await discovery(new URL(issuer), 'discovery', undefined, None(), {
        execute: [allowInsecureRequests],
        [customFetch]: guardedFetch(AbortSignal.timeout(this.#timeoutMs)),
      });
      const metadata = configuration.serverMetadata();
      // The library lets providers pass that speak for many issuers; one of those would vouch for anybody's people.
      if (URL.parse(metadata.issuer)?.href !== new URL(issuer).href) throw new ProviderFailed('other issuer');
      const { authorization_endpoint: start, token_endpoint: trade, jwks_uri: keys } = metadata;
      if ([start, trade, keys].some((address) => address === undefined || !URL.canParse(address)))
        throw new ProviderFailed('incomplete discovery document');
      return metadata;
    });
  }
}

/** How the client proves itself: in a header where the provider takes that, else in the form. */
function clientAuthentication(metadata: ServerMetadata, secret: string | null) {
  if (secret === null) return None();
  const taken = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return taken.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

async function believed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderFailed) throw error;
    throw new ProviderFailed(codeOf(error), error);
  }
}

/** A short word for the audit trail: the provider's own error, the library's code, or the network's. */
function codeOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return printable(error.error);
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth += 1) {
    if ('code' in cause && typeof cause.code === 'string') return printable(cause.code);
    if (cause.name === 'TimeoutError') return 'timeout';
  }
  return 'unusable answer';
}

const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 100);
