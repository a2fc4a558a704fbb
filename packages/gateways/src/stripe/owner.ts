/**
 * What was typed beside a one-time token and is not in it, e.g. the e-mail address: Stripe.js puts name and address of a
 * card into its token, other callers nothing. It waits in the step's state while the payer is at the bank.
 */
import type { GatewayState } from '../port/gateway.ts';
import { ask, type StripeDeps } from './client.ts';
import { type MethodReply, ownerOf, readMethod } from './wire-method.ts';
import { editRequest } from './wire-setup.ts';

const PREFIX = 'owner.';

/** As members of a step's state; what is empty is left out. */
export const ownerState = (owner: GatewayState = {}): GatewayState =>
  Object.fromEntries(
    Object.entries(owner).flatMap(([name, value]) => (value === '' ? [] : [[`${PREFIX}${name}`, value]])),
  );

/** The members of a state that {@link ownerState} made. */
export const keptOwner = (state: GatewayState): GatewayState =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name.startsWith(PREFIX)));

/**
 * Adds what the saved method does not say of its owner; what it says stays. The method is saved whether this works or
 * not, so a fault leaves it as it is.
 */
export async function fillOwner(
  deps: StripeDeps,
  reply: MethodReply,
  state: GatewayState,
): Promise<MethodReply> {
  const known = ownerOf(reply);
  const gaps = Object.entries(keptOwner(state)).flatMap(([key, value]) => {
    const name = key.slice(PREFIX.length);
    return known[name] === null || known[name] === undefined ? [[name, value] as const] : [];
  });
  const change = gaps.length === 0 ? undefined : editRequest(Object.fromEntries(gaps));
  if (change === undefined) return reply;
  const idempotencyKey = `counterfoil:${reply.id}:owner`;
  const answer = await ask(deps.stripe.paymentMethods.update(reply.id, change, { idempotencyKey }));
  return (answer.is === 'ok' ? readMethod(answer.value) : undefined) ?? reply;
}
