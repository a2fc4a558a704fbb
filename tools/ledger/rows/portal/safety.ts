import { constant, type Row, rule, section } from '../../row.ts';

const decided = section({ prefix: 'decisions.8', source: 'decisions §8' }, [
  rule('frame-origin', "Messages of a hosted frame count only from that provider's configured origin."),
  rule('frame-window', "Messages of a hosted frame count only from that frame's window."),
  rule('frame-no-state', "Messages of a hosted frame never change a payment's state by themselves."),
  rule('card-not-in-database', 'A card number or CVC is never in the database.'),
  rule('card-not-in-log', 'A card number or CVC is never in a log.'),
  rule('card-not-in-error', 'A card number or CVC is never in an error.'),
  rule('card-not-in-trace', 'A card number or CVC is never in a trace.'),
  rule('card-not-in-browser-storage', 'A card number or CVC is never in browser storage.'),
  rule('card-not-in-url', 'A card number or CVC is never in a URL.'),
  rule(
    'card-not-to-server',
    'Where a provider tokenises or encrypts in the client, no number reaches our server.',
  ),
  constant('token-bits', 'Every public token carries at least 128 random bits.'),
  rule('token-hash', 'Tokens that grant an account are stored only as a hash.'),
  rule('scope', 'Every row is reached through the customer of the signed-in user.'),
  rule('scope-reseller', "Every row is reached through the brand's reseller of the signed-in user."),
  rule('foreign-id-404', 'A foreign id answers 404, as an unknown one does.'),
  rule('formula-equals', 'A text cell that begins with = is neutralised in a CSV or spreadsheet.'),
  rule('formula-plus', 'A text cell that begins with + is neutralised in a CSV or spreadsheet.'),
  rule('formula-minus', 'A text cell that begins with - is neutralised in a CSV or spreadsheet.'),
  rule('formula-at', 'A text cell that begins with @ is neutralised in a CSV or spreadsheet.'),
  rule('formula-tab', 'A text cell that begins with tab is neutralised in a CSV or spreadsheet.'),
  rule('formula-cr', 'A text cell that begins with CR is neutralised in a CSV or spreadsheet.'),
  rule('number-stays', 'A number stays a number in a CSV or spreadsheet.'),
]);

const documented = section({ prefix: 'decisions.9', source: 'decisions §9' }, [
  rule('default-as-specified', 'The specified behaviour is the default; the stricter one is a setting.'),
  rule('in-operations', 'The stricter settings are recommended in docs/operations.md.'),
  rule('in-security', 'Each deviation stands in docs/security.md.'),
  rule(
    'password-grant',
    'The password grant is first-party sign-in only, for one public client without a secret.',
  ),
  rule('short-access-token', 'Sign-in in browser storage is a short access token.'),
  rule('rotating-refresh-token', 'Sign-in in browser storage has a rotating refresh token.'),
  rule('strict-csp', 'Sign-in in browser storage stands behind a strict CSP.'),
]);

/** Safety where the specification is naive, and deviations from standards. */
export const rows: readonly Row[] = [...decided, ...documented];
