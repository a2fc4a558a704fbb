/** The list of a customer's saved methods, their changes and their end. */
import type { GatewayRef, Method, Saving, SealedBag } from '../port.ts';
import { askWithRepeats, isDetached, keyFor } from './charging.ts';
import { ask, type StripeDeps } from './client.ts';
import { invalid, notUnderstood, savingFromFault } from './saving.ts';
import { isKnownType, methodFromWire, readMethod } from './wire-method.ts';
import { editRequest } from './wire-setup.ts';

/**
 * {@link Gateway.methods} of Stripe.
 * @throws {Error} when the list cannot be read: half a list would look like removed methods
 */
export async function* listMethods(deps: StripeDeps, payer: SealedBag): AsyncGenerator<Method> {
  const customer = payer['customer'];
  if (customer === undefined) return;
  let after: string | undefined;
  for (;;) {
    const query = { limit: 100, ...(after === undefined ? {} : { starting_after: after }) };
    const answer = await ask(deps.stripe.customers.listPaymentMethods(customer, query));
    if (answer.is === 'error') throw new Error(`the saved methods could not be read: ${answer.fault.detail}`);
    const page = answer.value as { readonly data?: unknown; readonly has_more?: unknown };
    if (!Array.isArray(page.data)) throw new Error('the saved methods could not be read: not a list');
    for (const value of page.data) {
      const reply = readMethod(value);
      if (reply === undefined) throw new Error('the saved methods could not be read: not a method');
      after = reply.id;
      if (isKnownType(reply.type)) yield methodFromWire(reply);
    }
    if (page.has_more !== true || page.data.length === 0) return;
  }
}

/** {@link Gateway.edit} of Stripe. The number of a card cannot change. */
export async function editMethod(
  deps: StripeDeps,
  ref: GatewayRef,
  method: SealedBag,
  change: Readonly<Record<string, string>>,
): Promise<Saving> {
  const id = method['paymentMethod'];
  const body = editRequest(change);
  if (id === undefined || body === undefined) return invalid('this cannot be changed');
  const idempotencyKey = keyFor(ref, 'save-edit');
  const answer = await askWithRepeats(deps, () =>
    deps.stripe.paymentMethods.update(id, body, { idempotencyKey }),
  );
  if (answer.is === 'error') return savingFromFault(answer.fault);
  const reply = readMethod(answer.value);
  return reply === undefined ? notUnderstood : { is: 'saved', method: methodFromWire(reply) };
}

/** {@link Gateway.remove} of Stripe. */
export async function removeMethod(
  deps: StripeDeps,
  method: SealedBag,
): Promise<'gone' | 'inUse' | 'unknown'> {
  const id = method['paymentMethod'];
  if (id === undefined) return 'gone';
  // Detaching twice is refused and changes nothing, so the method itself is the key.
  const answer = await ask(
    deps.stripe.paymentMethods.detach(id, {}, { idempotencyKey: `counterfoil:${id}:detach` }),
  );
  if (answer.is === 'ok') return 'gone';
  return (await isDetached(deps, id)) ? 'gone' : 'unknown';
}
