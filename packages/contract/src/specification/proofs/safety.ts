import type { Proof, Proofs } from '../row.ts';

const csv = 'packages/domain/src/csv.test.ts';
const ids = 'packages/domain/src/ids.test.ts';
const auth = 'apps/api/src/features/auth/routes.test.ts';
const matrix = 'apps/api/src/http/access-matrix.test.ts';
const foreignIds = 'answers an id of somebody else like one that does not exist, and changes nothing';
const deviations = 'tools/deviations-doc.test.ts';
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const cells = by(csv, '%o is written %j', 'reads back as what was written, and no text starts a formula');
const card = by(
  'apps/api/src/features/public-pay/card-number-guard.test.ts',
  'is refused %s, and nothing is sent, stored or logged',
  'in the Idempotency-Key, in the address, in broken JSON and in a wrong type leaves no trace',
);
const guard = 'apps/api/src/features/public-pay/card-number-guard.test.ts';
const left = 'e2e/card-numbers.spec.ts';
const noTrace = [...card, ...by(guard, 'does not leave a trace when the gateway throws it back')];
const inBrowser = by(
  'e2e/card-in-browser.spec.ts',
  'not to the server, into an address, or into browser storage',
);

/** Tests that prove rows of safety: row id to file and title. */
export const proofs: Proofs = {
  'decisions.8.constant.token-bits': by(ids, 'is base64url of that many bytes', 'refuses %d bytes'),
  'decisions.8.token-hash': by(
    'apps/api/src/features/auth/stored-tokens.test.ts',
    'keeps of a token that grants an account only the hash',
  ),
  'decisions.8.scope': by(
    matrix,
    foreignIds,
    'refuses whoever has no business there, and changes nothing',
    'shows the caller nothing of anybody else',
  ),
  'decisions.8.scope-reseller': by(matrix, foreignIds),
  'decisions.8.foreign-id-404': by(matrix, foreignIds),
  'decisions.8.formula-equals': cells,
  'decisions.8.formula-plus': cells,
  'decisions.8.formula-minus': cells,
  'decisions.8.formula-at': cells,
  'decisions.8.formula-tab': cells,
  'decisions.8.formula-cr': cells,
  'decisions.8.number-stays': cells,
  'decisions.9.default-as-specified': [
    ...by('apps/api/src/config.test.ts', 'has a default for everything'),
    ...by(
      'apps/api/src/features/registration/routes.test.ts',
      'refuses %s with its message and leaves the link good',
      'takes any twelve characters and refuses eleven, at registration and reset alike',
    ),
  ],
  'decisions.9.in-operations': by(deviations, 'docs/operations.md recommends the stricter settings'),
  'decisions.9.in-security': by(deviations, 'docs/security.md states each deviation from a standard'),
  'decisions.9.password-grant': by(
    auth,
    'answers access and refresh token with the claims the portal reads',
    'refuses %s',
  ),
  'decisions.9.short-access-token': by(auth, 'ends after fifteen minutes without a refresh'),
  'decisions.9.rotating-refresh-token': by(
    auth,
    'rotates at every use',
    'ends the whole session when a spent token comes back later',
  ),
  'decisions.9.strict-csp': by(
    'apps/api/src/http/security-headers.test.ts',
    'stand on the answer and on the refusal of every call of the document',
    'give each page a nonce of its own, and run no script or style without it',
  ),
  'decisions.8.card-not-in-database': [
    ...by(
      left,
      'no file of the database holds a card number, not even in what was deleted',
      'no column of the database holds a card number or code',
    ),
    ...noTrace,
  ],
  'decisions.8.card-not-in-log': [
    ...by(left, 'no file of the server, the sandbox, the outbox or the logs holds a card number or code'),
    ...noTrace,
  ],
  'decisions.8.card-not-in-error': [
    ...noTrace,
    ...by('packages/gateways/src/redact.test.ts', 'describes a fault with its causes'),
  ],
  'decisions.8.card-not-in-trace': noTrace,
  'decisions.8.card-not-in-browser-storage': inBrowser,
  'decisions.8.card-not-in-url': inBrowser,
  'decisions.8.card-not-to-server': inBrowser,
};
