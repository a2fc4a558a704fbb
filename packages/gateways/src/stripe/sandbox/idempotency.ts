/** Idempotency keys: kept for a day, replayed, never usable for another request. https://docs.stripe.com/api/idempotent_requests */
import type { Account, Kept } from './account.ts';
import { invalid, StripeFault } from './errors.ts';

export const keptForMs = 24 * 3600 * 1000;
const longestKey = 255;

/** Keys whose first request has not been answered yet. */
export class InFlight {
  readonly #keys = new Set<string>();

  /** @throws {StripeFault} 409 idempotency_key_in_use */
  begin(account: string, key: string): () => void {
    const name = `${account}/${key}`;
    if (this.#keys.has(name)) {
      throw new StripeFault(
        409,
        'idempotency_error',
        'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Please try again later.',
        { code: 'idempotency_key_in_use' },
      );
    }
    this.#keys.add(name);
    return () => this.#keys.delete(name);
  }

  clear(): void {
    this.#keys.clear();
  }
}

/** The key of a request; only POST has one. @throws {StripeFault} 400 when it is too long */
export function keyOf(method: string, headers: Readonly<Record<string, string>>): string | null {
  const key = headers['idempotency-key'];
  if (method !== 'POST' || key === undefined || key === '') return null;
  if (key.length > longestKey) {
    throw invalid(`Idempotency keys can be at most ${longestKey} characters long, yours has ${key.length}.`);
  }
  return key;
}

/**
 * The answer kept for this key, if there is one and it is not pruned yet.
 * @throws {StripeFault} 400 idempotency_error when the key was used for something else
 */
export function keptAnswer(
  account: Account,
  key: string,
  endpoint: string,
  digest: string,
  nowMs: number,
): Kept | undefined {
  const kept = account.keys.get(key);
  if (kept === undefined || nowMs - kept.at > keptForMs) return undefined;
  if (kept.endpoint === endpoint && kept.digest === digest) return kept;
  const difference =
    kept.endpoint === endpoint
      ? 'with the same parameters they were first used with'
      : `for the same endpoint they were first used for ('${kept.endpoint}' vs '${endpoint}')`;
  throw new StripeFault(
    400,
    'idempotency_error',
    `Keys for idempotent requests can only be used ${difference}. Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}
