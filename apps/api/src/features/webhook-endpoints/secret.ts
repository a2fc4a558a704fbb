import type { Secrets } from '../../secrets.ts';

/** The secrets of an endpoint as its row has them. */
export interface SealedSecrets {
  readonly secret_sealed: Buffer;
  readonly previous_sealed: Buffer | null;
  readonly previous_until: Date | null;
}

const contextOf = (endpointId: string): string => `webhook-endpoint:${endpointId}`;

export const sealSecret = (secrets: Secrets, endpointId: string, secret: string): Buffer =>
  secrets.seal(secret, contextOf(endpointId));

/** The secrets that sign now, the newest first. */
export function secretsOf(
  secrets: Secrets,
  endpointId: string,
  { secret_sealed: current, previous_sealed: previous, previous_until: until }: SealedSecrets,
  now: Date,
): string[] {
  const isGood = previous !== null && until !== null && until > now;
  return [current, ...(isGood ? [previous] : [])].map((one) => secrets.open(one, contextOf(endpointId)));
}
