/**
 * Keys and accounts. Any test key opens an account of its own: `sk_test_<x>`, `rk_test_<x>` and `pk_test_<x>`
 * are the secret, restricted and publishable key of account `<x>`. A name that begins with `invalid` is
 * refused, and one that begins with `expired` answers as an expired key does.
 */

import { digest } from '@counterfoil/sandbox/ids.ts';
import { StripeFault } from './errors.ts';

export interface Caller {
  readonly account: string;
  readonly publishable: boolean;
}

/** @throws {StripeFault} 401 when the key is missing, malformed, of live mode, or revoked */
export function authenticate(authorization: string | undefined, keyParam: string | undefined): Caller {
  const key = keyIn(authorization) ?? keyParam;
  if (key === undefined || key === '') {
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  const match = /^(sk|rk|pk)_test_([A-Za-z0-9_]{1,200})$/.exec(key);
  if (match === null || match[2]?.startsWith('invalid'))
    throw unauthorised(`Invalid API Key provided: ${masked(key)}`);
  if (match[2]?.startsWith('expired')) {
    throw new StripeFault(401, 'invalid_request_error', `Expired API Key provided: ${masked(key)}`, {
      code: 'api_key_expired',
    });
  }
  return { account: accountOf(key), publishable: match[1] === 'pk' };
}

/** The account behind a key; an account's own name stands for itself. */
export function accountOf(key: string): string {
  if (key.startsWith('acct_')) return key;
  return `acct_${digest(key.replace(/^(sk|rk|pk)_test_/, ''))
    .replace(/[-_]/g, '')
    .slice(0, 16)}`;
}

function keyIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const [scheme = '', credentials = ''] = authorization.split(/\s+(.*)/s, 2);
  if (scheme.toLowerCase() === 'bearer') return credentials.trim();
  if (scheme.toLowerCase() !== 'basic') return undefined;
  return Buffer.from(credentials, 'base64').toString('utf8').split(':', 1)[0];
}

function unauthorised(message: string): StripeFault {
  return new StripeFault(401, 'invalid_request_error', message);
}

function masked(key: string): string {
  return key.length < 12 ? `${key.slice(0, 3)}***` : `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
}
