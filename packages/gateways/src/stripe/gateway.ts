/** One reseller's Stripe account behind the gateway port. */
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { GatewayContext } from '../port/define-gateway.ts';
import type { CredentialCheck, Gateway } from '../port/gateway.ts';
import { chargeWith } from './charging.ts';
import { openPage } from './checkout.ts';
import { ask, type StripeDeps, stripeClient } from './client.ts';
import { closeCharge, findCharge, lookupByRemoteId, resumeCharge } from './finding.ts';
import { manifest, type StripeRole, type StripeSettings } from './manifest.ts';
import { lookupRefundWith, refundWith } from './refunds.ts';
import { beginSetup, completeSetup } from './setups.ts';
import { editMethod, listMethods, preferMethod, preferredMethod, readSaved, removeMethod } from './vault.ts';
import { readHook } from './webhook.ts';

const modeOf = (key: string): string => key.split('_')[1] ?? '';

/** Reads the list the reconciler depends on: it proves key, right and address at once, and changes nothing. */
async function check(deps: StripeDeps, config: StripeSettings): Promise<CredentialCheck> {
  if (modeOf(config.secretKey) !== modeOf(config.publishableKey)) {
    return { ok: false, rights: [], why: 'the secret and the publishable key are of different modes' };
  }
  const answer = await ask(deps.stripe.paymentIntents.list({ limit: 1 }));
  if (answer.is === 'ok') {
    return z.safeParse(z.looseObject({ object: z.literal('list') }), answer.value).success
      ? { ok: true, rights: ['payments.read'] }
      : { ok: false, rights: [], why: 'the address does not answer like Stripe' };
  }
  const { status, detail } = answer.fault;
  const isVerdict = status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429;
  return { ok: false, rights: [], why: detail, ...(isVerdict ? {} : { unreachable: true as const }) };
}

/** @throws {TypeError} when the address of the API has a path: the SDK knows none */
export function createGateway(context: GatewayContext<StripeSettings, StripeRole>): Gateway {
  const { config, clock, log } = context;
  const deps: StripeDeps = {
    stripe: stripeClient(context),
    now: () => clock.now(),
    pause: context.pause ?? ((milliseconds) => wait(milliseconds)),
    log,
  };
  return {
    capabilities: manifest.capabilities,
    verifyCredentials: () => check(deps, config),
    charge: (charge, saveState) => chargeWith(deps, charge, saveState),
    createCheckout: (charge, saveState) => openPage(deps, charge, saveState),
    lookup: (charge, state, plan) => findCharge(deps, charge, state, plan),
    lookupByRemoteId: (charge, remote) => lookupByRemoteId(deps, charge, remote),
    handleReturn: (charge, state, query) => resumeCharge(deps, charge, state, query),
    cancel: (charge, state) => closeCharge(deps, charge, state),
    refund: (refund) => refundWith(deps, refund),
    lookupRefund: (refund, state, plan) => lookupRefundWith(deps, refund, state, plan),
    beginSetup: (request) => beginSetup(deps, request),
    completeSetup: (request) => completeSetup(deps, request),
    listMethods: (payer) => listMethods(deps, payer),
    getMethod: (method) => readSaved(deps, method),
    setDefaultMethod: (payer, method) => preferMethod(deps, payer, method),
    getDefaultMethod: (payer) => preferredMethod(deps, payer),
    updateMethod: (ref, method, change) => editMethod(deps, ref, method, change),
    removeMethod: (method) => removeMethod(deps, method),
    parseWebhook: (raw, headers, now) => readHook(config.webhookSecrets, raw, headers, now),
  };
}
