import { readFileSync } from 'node:fs';

/**
 * TLS towards database and mail server. What is demanded is written into the address itself, once, where the settings
 * are read: whoever connects to it later, wherever that is, demands it too.
 */

/** `required`: towards another machine nothing is sent without TLS. `off`: as the address itself says. */
export const TLS_DEMANDS = ['required', 'off'] as const;
export type TlsDemand = (typeof TLS_DEMANDS)[number];

/** The address to connect to, or in words what is wrong with it. */
export type TlsAddress = { readonly href: string } | { readonly fault: string };

/** What an address asks of its connections. */
export type TlsWish = 'verified' | 'encrypted' | 'none';

/** True for loopback and for Unix sockets: what is sent there leaves no machine. @param host a name, address or path */
export function isThisMachine(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '');
  return name.startsWith('/') || name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether an identity provider may be spoken to at this address: by https, or by http on this machine. */
export const isSpeakable = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));

/**
 * The address of a database, with TLS and a checked certificate demanded where it is another machine's.
 * @param defaultHost who is meant where the address names nobody: PostgreSQL's clients look at PGHOST
 */
export function databaseAddress(url: URL, demand: TlsDemand, defaultHost = 'localhost'): TlsAddress {
  const host = databaseHost(url) || defaultHost;
  const wish = databaseWish(url);
  const unread = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => !isReadable(lastOf(url, name)));
  if (unread !== undefined)
    return { fault: `${unread} in DATABASE_URL names a file that cannot be read: ${lastOf(url, unread)}` };
  const isDemanded = demand === 'required' && !isThisMachine(host);
  if (wish === 'encrypted' || (wish === 'none' && !isDemanded)) return { href: url.href };
  if (wish === 'none' && saysTls(url)) {
    return { fault: `DATABASE_URL switches TLS off for ${host}; only DATABASE_TLS=off allows that` };
  }
  const demanding = new URL(url);
  // `pg` takes `require` and the like for the same today, and warns that its next version will not.
  demanding.searchParams.set('sslmode', 'verify-full');
  return { href: demanding.href };
}

/** What `pg` makes of an address (pg-connection-string 2): every mode but these checks the certificate. */
export function databaseWish(url: URL): TlsWish {
  const mode = lastOf(url, 'sslmode');
  const ssl = lastOf(url, 'ssl');
  if (mode === undefined && ssl === undefined) return 'none';
  if (mode === 'disable' || (mode === undefined && (ssl === '0' || ssl === 'false'))) return 'none';
  if (mode === 'no-verify' || (mode === undefined && ssl === 'no-verify')) return 'encrypted';
  const isLax = mode === 'require' || mode === 'prefer';
  return isLax && lastOf(url, 'uselibpqcompat') === 'true' ? 'encrypted' : 'verified';
}

const isReadable = (file: string | undefined): boolean => {
  if (file === undefined || file === '') return true;
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
};

const saysTls = (url: URL): boolean => url.searchParams.has('sslmode') || url.searchParams.has('ssl');

/** The parameter comes before the host of the address, in `pg` and in PostgreSQL's own programs. */
function databaseHost(url: URL): string {
  const host = lastOf(url, 'host') || url.hostname;
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}

const lastOf = (url: URL, name: string): string | undefined => url.searchParams.getAll(name).at(-1);

/** The address of a mail server, with STARTTLS demanded where it is another machine's and begins without TLS. */
export function mailAddress(url: URL, demand: TlsDemand): TlsAddress {
  const { searchParams } = url;
  const isHere = isThisMachine(url.hostname) && !searchParams.has('service');
  if (demand === 'off' || isHere || url.protocol === 'smtps:') return { href: url.href };
  const refuses =
    searchParams.get('requireTLS') === 'false' ||
    ['ignoreTLS', 'opportunisticTLS'].some((name) => searchParams.get(name) === 'true');
  if (refuses)
    return { fault: `SMTP_URL switches TLS off for ${url.hostname}; only SMTP_TLS=off allows that` };
  const demanding = new URL(url);
  demanding.searchParams.set('requireTLS', 'true');
  return { href: demanding.href };
}

/** What the address of a mail server asks of its connections; with `none` TLS is used where it is offered. */
export function mailWish(url: URL): TlsWish {
  const isDemanded = url.protocol === 'smtps:' || url.searchParams.get('requireTLS') === 'true';
  if (!isDemanded) return 'none';
  return url.searchParams.get('tls.rejectUnauthorized') === 'false' ? 'encrypted' : 'verified';
}

/** What Node says of certificates it does not trust. */
const CERTIFICATE = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_)/;

/** Why there is no TLS with the database, and what to do; undefined for any other fault. */
export function databaseTlsFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/server does not support SSL/i.test(error.message)) {
    return 'the database offers no TLS, which DATABASE_URL demands; give it a certificate, or set DATABASE_TLS=off where the way to it is safe';
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (!CERTIFICATE.test(code)) return undefined;
  // What follows the semicolon is Node's advice, not the certificate's fault.
  const [why] = error.message.split(';');
  return `the certificate of the database is not trusted (${why}); sslrootcert=<file> in DATABASE_URL names who signed it`;
}
