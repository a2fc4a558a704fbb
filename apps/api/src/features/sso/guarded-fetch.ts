import type { CustomFetch } from 'openid-client';
import { isSpeakable } from '../../tls.ts';
import { traced } from '../../tracing/spans.ts';

/** A provider's answers are a few kilobytes; more is not read. */
const MAX_ANSWER_BYTES = 512 * 1024;

/** A provider asks for something that is not done. `code` is for the operator. */
export class UnsafeAnswer extends Error {
  override readonly name = 'UnsafeAnswer';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * The calls to a provider: never in the clear over a network, never more than a bounded answer, never beyond the
 * deadline, whatever the single call may take.
 */
export const guardedFetch =
  (deadline: AbortSignal): CustomFetch =>
  async (address, { signal, ...options }) => {
    if (!isSpeakable(new URL(address))) throw new UnsafeAnswer('address without https');
    const { method = 'GET' } = options;
    return traced('client', 'ask sign-on provider', { 'http.request.method': method }, async (span) => {
      const response = await fetch(address, {
        ...options,
        signal: AbortSignal.any([deadline, ...(signal === undefined ? [] : [signal])]),
      } as RequestInit);
      span?.tell({ 'http.response.status_code': response.status });
      if (response.status >= 500) span?.fail(String(response.status));
      const body = await readBounded(response);
      const { status, statusText, headers } = response;
      return new Response(body.length === 0 ? null : body, { status, statusText, headers });
    });
  };

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early closes the connection.
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MAX_ANSWER_BYTES) throw new UnsafeAnswer('answer too long');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
