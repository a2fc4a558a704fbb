import { createHmac, randomBytes } from 'node:crypto';

/** Secrets as the Standard Webhooks specification has them: a prefix, then base64. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret of an endpoint. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** What is signed, and with what. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
  /** The newest first. */
  readonly secrets: readonly string[];
}

/**
 * The headers of a delivery by the Standard Webhooks specification: a signature by each secret that is good now.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const signatureHeaders = ({ id, timestamp, body, secrets }: Signed): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' '),
});
