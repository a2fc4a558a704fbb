/**
 * A new `Idempotency-Key`: one per press of Pay. The same key is sent again only when the answer of that press was
 * lost; after a definite answer the next press has its own.
 */
export function newIdempotencyKey(): string {
  // `randomUUID` exists on secure origins only, and a portal may be tried over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
