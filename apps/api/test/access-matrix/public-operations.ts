/** A secret that is the whole authority of a public call. */
export type SecretKind =
  | 'payLink'
  | 'paidLink'
  | 'attempt'
  | 'reset'
  | 'registration'
  | 'loginCode'
  | 'operatorInvitation'
  | 'operatorReset';

export interface PublicOperation {
  /** Why anybody may call it. */
  readonly because: string;
  /** The parameters or members whose value opens something, and what that is. */
  readonly secrets?: Readonly<Record<string, SecretKind>>;
}

/** Every call without a session. A new one fails the test until it stands here with its reason. */
export const publicOperations: Readonly<Record<string, PublicOperation>> = {
  'POST /token': { because: 'it is how one signs in; each grant carries its own proof' },
  'POST /token/revoke': {
    because: 'whoever holds a refresh token may end its session; an unknown one is answered alike (RFC 7009)',
  },
  'POST /v1/ec/password-reset-request': {
    because: 'who asks cannot sign in; every address is answered alike, what follows goes by mail',
  },
  'POST /v1/ec/password-reset': { because: 'the mailed token is the proof', secrets: { token: 'reset' } },
  'POST /v1/ec/user-registration': {
    because: 'the mailed token is the proof',
    secrets: { token: 'registration' },
  },
  'POST /v1/ec/login-by-code': {
    because: 'the one-time code that an operator made is the proof',
    secrets: { code: 'loginCode' },
  },
  'POST /v1/ec/passkey-challenge': { because: 'random bytes to sign at a sign-in; the same for everybody' },
  'POST /v1/operator/session': {
    because: 'it is how operators sign in; password and code are the proof',
  },
  'POST /v1/operator/invitation': {
    because: 'the link that only who is invited was given is the proof',
    secrets: { token: 'operatorInvitation' },
  },
  'POST /v1/operator/invitation/acceptance': {
    because: 'the link that only who is invited was given is the proof',
    secrets: { token: 'operatorInvitation' },
  },
  'POST /v1/operator/password-reset-request': {
    because: 'who asks cannot sign in; every address is answered alike, what follows goes by mail',
  },
  'POST /v1/operator/password-reset': {
    because: 'the mailed token is the proof, and it signs in nobody',
    secrets: { token: 'operatorReset' },
  },
  'POST /v1/operator/passkey-challenge': {
    because: 'random bytes to sign at a sign-in; the same for everybody',
  },
  'POST /v1/operator/session/passkey': {
    because: 'it is how operators sign in; the signature of their passkey is the proof',
  },
  'GET /v1/operator/sign-in-ways': { because: 'what the sign-in page of the console offers, without names' },
  'GET /v1/operator/sso/login': { because: 'it leads to an identity provider; nothing is shown here' },
  'GET /v1/operator/sso/callback': {
    because:
      'state, browser and what the provider vouches for are the proof; see features/operators/sso.test.ts',
  },
  'GET /v1/brands-settings': { because: 'colours and texts of a host name, shown before sign-in' },
  'GET /v1/brands/{id}/{kind}': { because: 'logos and banners, shown before sign-in' },
  'GET /v1/ec/payment/details/{token}': {
    because: 'the pay link is the authority, over one invoice',
    secrets: { token: 'payLink' },
  },
  'GET /v1/ec/payment/invoice/{token}': {
    because: 'the pay link is the authority, over one invoice',
    secrets: { token: 'payLink' },
  },
  'GET /v1/ec/payment/receipt/{token}/{id}': {
    because: 'the pay link is the authority, over payments of its invoice and of no other',
    secrets: { token: 'paidLink', id: 'attempt' },
  },
  'POST /v1/ec/payment/link-by-mail': {
    because: 'who asks has an expired link; every value is answered alike, what follows goes by mail',
  },
  'POST /v1/ec/pay': {
    because: 'the pay link is the authority, over one invoice',
    secrets: { uid: 'payLink' },
  },
  'POST /v1/ec/pay/{token}/entries': {
    because: 'the pay link is the authority, over one invoice; what is made at the gateway moves no money',
    secrets: { token: 'payLink' },
  },
  'GET /v1/ec/pay/{token}/template': {
    because: 'the pay link is the authority, over one invoice; what is made at the gateway moves no money',
    secrets: { token: 'payLink' },
  },
  'POST /v1/entries/{entryId}/callback': {
    because:
      'the gateway’s page posts there; its signature over the entry is the proof, and what it posts pays nothing by itself',
  },
  'POST /v1/ec/payments/confirmation/result': {
    because:
      'the pay link is the authority, over the payments made through it; without one, a payment’s random id tells its status only',
    secrets: { uid: 'paidLink', reqUid: 'attempt' },
  },
  'GET /sso/login': { because: 'it is where single sign-on begins; leads to the company’s own provider' },
  'GET /sso/callback': {
    because: 'state and cookie bind it to the browser that began; the provider’s answer is the proof',
  },
  'POST /v1/webhooks/{gateway}/{resellerId}': {
    because: 'the gateway signs what it sends; it is only a hint to ask the gateway',
  },
};

/** Grants of `POST /token`: the members that prove something, and what else the form needs. */
export const grants: Readonly<
  Record<string, { readonly proofs: readonly string[]; readonly other?: Readonly<Record<string, string>> }>
> = {
  password: { proofs: ['password'], other: { username: 'nobody@test.example' } },
  refresh_token: { proofs: ['refresh_token'] },
  authorization_code: { proofs: ['code'], other: { redirect_uri: 'http://localhost/sso/callback' } },
  'urn:counterfoil:mfa': { proofs: ['mfa_token', 'otp', 'recovery_code'] },
  'urn:counterfoil:passkey': { proofs: ['challenge_id', 'credential'] },
};

/** Addresses outside the document, which need no session either. */
export const hiddenRoutes: Readonly<Record<string, string>> = {
  '/openapi.json': 'the document itself',
  '/docs': 'the document for people',
  '/docs/start.js': 'begins to show it',
  '/docs/style.css': 'how it looks',
  '/docs/swagger-ui-bundle.js': 'the library that shows it',
  '/docs/swagger-ui.css': 'how the library looks',
  '/healthz': 'whether the process lives',
  '/readyz': 'whether it can serve; names no customer',
  '/metrics': 'counts only, and only for loopback or with the token',
  '/robots.txt': 'what search engines are told, the same everywhere',
  '/brand.css': 'colours of a brand, shown before sign-in',
  '/assets/*': 'the built portal, where there is one',
  '/login': 'a page',
  '/v1/operator/mails/:id/page':
    'a mail as a page for a frame in the console, for operators who may read it (features/admin-mails/routes.test.ts)',
  '/admin': 'the console’s page; what it shows is asked of the calls behind it',
  '/admin*': 'the console’s pages; what they show is asked of the calls behind them',
  '/reset-password/:token': 'a page; the token is proven by the call behind it',
  '/finish-registration/:token': 'a page; the token is proven by the call behind it',
  '/pay/:token': 'a page; shows the brand of a good link, nothing of its invoice',
  '/brand-preview/:token/:screen':
    'a page with sample data; shows the draft of a brand to whoever has its address',
  '/brand-preview/:token/mail': 'the same as a mail',
  '/brand-preview/:token/letter': 'the same as a letter',
};
