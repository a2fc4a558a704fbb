/** The list of a customer's saved methods, their changes and their end. */
import * as z from 'zod/mini';
import type {
  GatewayRef,
  GatewayState,
  Method,
  MethodReading,
  RemoteId,
  SetupResult,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { askWithRepeats, isDetached, keyFor } from './charging.ts';
import { ask, everyOf, type StripeDeps } from './client.ts';
import { invalid, notUnderstood, setupFromFault, withMandate } from './setups.ts';
import {
  editRequest,
  idOf,
  isBankType,
  isKnownType,
  methodFromWire,
  readMethod,
  readSetup,
} from './wire-method.ts';

/**
 * {@link Gateway.listMethods} of Stripe.
 * @throws {ListFault} when the list cannot be read: half a list would look like removed methods
 */
export async function* listMethods(deps: StripeDeps, payer: GatewayState): AsyncGenerator<Method> {
  const customer = payer['customer'];
  if (customer === undefined) return;
  const list = (query: object) => deps.stripe.customers.listPaymentMethods(customer, query);
  for await (const reply of everyOf(list, readMethod))
    if (isKnownType(reply.type)) yield methodFromWire(reply);
}

/** {@link Gateway.updateMethod} of Stripe. The number of a card cannot change. */
export async function editMethod(
  deps: StripeDeps,
  ref: GatewayRef,
  method: GatewayState,
  change: Readonly<Record<string, string>>,
): Promise<SetupResult> {
  const id = method['paymentMethod'];
  const body = editRequest(change);
  if (id === undefined || body === undefined) return invalid('this cannot be changed');
  const idempotencyKey = keyFor(ref, 'save-edit');
  const answer = await askWithRepeats(deps, () =>
    deps.stripe.paymentMethods.update(id, body, { idempotencyKey }),
  );
  if (answer.is === 'error') return setupFromFault(answer.fault);
  const reply = readMethod(answer.value);
  return reply === undefined ? notUnderstood : { is: 'saved', method: methodFromWire(reply) };
}

/** {@link Gateway.removeMethod} of Stripe. */
export async function removeMethod(
  deps: StripeDeps,
  method: GatewayState,
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

/** {@link Gateway.getMethod} of Stripe. */
export async function readSaved(deps: StripeDeps, method: GatewayState): Promise<MethodReading> {
  const id = method['paymentMethod'];
  if (id === undefined) return { is: 'gone' };
  const answer = await ask(deps.stripe.paymentMethods.retrieve(id));
  if (answer.is === 'error') {
    return answer.fault.status === 404 ? { is: 'gone' } : { is: 'unknown', evidence: answer.fault.detail };
  }
  const reply = readMethod(answer.value);
  if (reply === undefined) return { is: 'unknown', evidence: `${id}: not a payment method` };
  if (reply.customer === null) return { is: 'gone' };
  const mandate = await mandateOf(deps, id, reply.type, method['mandate']);
  if (mandate === 'unknown') return { is: 'unknown', evidence: `${id}: its setups could not be read` };
  const whole = await withMandate(deps, reply, mandate);
  return whole.is === 'saved' ? { is: 'there', method: whole.method } : whole;
}

/** The mandate of an account: the one we know of, else that of the setup which saved it. */
async function mandateOf(
  deps: StripeDeps,
  id: string,
  type: string,
  known: string | undefined,
): Promise<string | undefined | 'unknown'> {
  if (known !== undefined || !isBankType(type)) return known;
  const answer = await ask(deps.stripe.setupIntents.list({ payment_method: id, limit: 100 }));
  const page =
    answer.is === 'ok' ? z.safeParse(z.looseObject({ data: z.array(z.unknown()) }), answer.value) : undefined;
  if (page?.success !== true) return 'unknown';
  const setups = page.data.data.map(readSetup);
  return idOf(setups.find((setup) => setup?.status === 'succeeded' && setup.mandate)?.mandate);
}

const customerReply = z.looseObject({
  object: z.literal('customer'),
  deleted: z.optional(z.boolean()),
  invoice_settings: z.nullish(
    z.looseObject({
      default_payment_method: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
    }),
  ),
});

/** {@link Gateway.setDefaultMethod} of Stripe. Charges never read it; pages and mails of Stripe do. */
export async function preferMethod(
  deps: StripeDeps,
  payer: GatewayState,
  method: GatewayState,
): Promise<'done' | 'unknown'> {
  const { customer } = payer;
  const { paymentMethod } = method;
  if (customer === undefined || paymentMethod === undefined) return 'unknown';
  // Without a key of ours: setting it twice is setting it once, and A, B, A must not replay the first answer.
  const body = { invoice_settings: { default_payment_method: paymentMethod } };
  return (await ask(deps.stripe.customers.update(customer, body))).is === 'ok' ? 'done' : 'unknown';
}

/** {@link Gateway.getDefaultMethod} of Stripe. */
export async function preferredMethod(
  deps: StripeDeps,
  payer: GatewayState,
): Promise<RemoteId | null | 'unknown'> {
  const { customer } = payer;
  if (customer === undefined) return null;
  const answer = await ask(deps.stripe.customers.retrieve(customer));
  const reply = answer.is === 'ok' ? z.safeParse(customerReply, answer.value) : undefined;
  if (reply?.success !== true) return 'unknown';
  const id = idOf(reply.data.invoice_settings?.default_payment_method);
  return id === undefined ? null : remoteId(id);
}
