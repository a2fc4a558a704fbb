import type { Capabilities, Gateway, MethodKind } from '@counterfoil/gateways/port/gateway.ts';

/** What is to be done once an attempt has ended, as its account says when the attempt is written. */
export interface AfterEnd {
  readonly cleanUp?: true;
  /** When a payment that has succeeded is looked at again, milliseconds after its end, ascending. */
  readonly recheckMs?: readonly number[];
}

/** @returns null where nothing is to be done */
export function afterEndOf(
  {
    gateway,
  }: { readonly gateway: Pick<Gateway, 'cleanUp' | 'listReversals'> & { capabilities: Capabilities } },
  kind: MethodKind,
): AfterEnd | null {
  const recheckMs = gateway.listReversals && gateway.capabilities.recheckMs?.[kind];
  if (gateway.cleanUp === undefined && recheckMs === undefined) return null;
  return {
    ...(gateway.cleanUp === undefined ? {} : { cleanUp: true }),
    ...(recheckMs === undefined ? {} : { recheckMs: [...recheckMs].sort((a, b) => a - b) }),
  };
}

/** The first time after `now` at which a payment is to be looked at again; null for never. */
export function nextRecheckAt(after: AfterEnd | null, endedAt: Date, now: Date): Date | null {
  const next = after?.recheckMs?.find((ms) => endedAt.getTime() + ms > now.getTime());
  return next === undefined ? null : new Date(endedAt.getTime() + next);
}
