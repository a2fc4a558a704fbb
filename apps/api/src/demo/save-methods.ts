import { resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Config } from '../config.ts';
import { findCustomerBrand } from '../features/brand/queries.ts';
import { brandFromRow } from '../features/brand/service.ts';
import { type Adding, type AddingDeps, addByToken, resultOf } from '../features/payment-methods/adding.ts';
import { setChargePermission } from '../features/payment-methods/charge-permission.ts';
import { receiveMethodEvent } from '../features/payment-methods/events-service.ts';
import { findSetupByKey } from '../features/payment-methods/setup-row.ts';
import { gatewayAccounts } from '../gateway-accounts.ts';
import { authenticatedSession, authorisedCustomer } from '../http/scope.ts';
import type { Runtime } from '../runtime.ts';
import { type DemoCustomer, demoCustomers, demoUsers } from './customers.ts';
import { demoStripeKeys } from './gateways.ts';
import { type DemoMethod, demoAutoPay, demoMethods } from './methods.ts';
import { fixedId } from './random.ts';
import { addressesOf, reachesProvider } from './sandbox-addresses.ts';

/** Nobody waits longer for a sandbox that may not be there. */
const LOOK_WITHIN_MS = 2_000;
/** What the sandbox's small deposit is called on the bank statement. */
const DEPOSIT_CODE = 'SM11AA';

/** What the demo world needs of the server to act as its customers. */
export type SetupDeps = Pick<Runtime, 'databases' | 'secrets' | 'clock' | 'log' | 'config'>;

/**
 * Gives the demo customers their saved methods: made at the sandbox as the provider's script makes them, and saved as a
 * customer saves them. One that was saved before is left as it is, also when it was removed since. Does nothing where
 * no sandbox is at the address the settings lead their gateway to.
 */
export async function saveDemoMethods(runtime: SetupDeps, modules: readonly GatewayModule[]): Promise<void> {
  const { databases, secrets, clock, log, config } = runtime;
  const sandboxUrl = sandboxOf(config, modules);
  if (sandboxUrl === undefined || !(await isSandbox(sandboxUrl))) return;
  const accounts = gatewayAccounts(runtime, modules);
  const deps: AddingDeps = {
    db: databases.jobs,
    secrets,
    clock,
    log,
    accounts,
    publicUrl: config.publicUrl,
  };
  for (const customer of demoCustomers) {
    // The world is as usable without; the next start tries again what was not begun.
    await saveAllOf(deps, customer, sandboxUrl).catch((error: unknown) =>
      log.warn({ err: error, customer: customer.key }, 'the demo customer got no saved methods'),
    );
  }
}

/** Where the gateway of the saved methods is, unless that is the provider itself. */
function sandboxOf(config: Config, modules: readonly GatewayModule[]): string | undefined {
  const module = modules.find(({ manifest }) => manifest.id === 'stripe');
  if (module === undefined || reachesProvider(config, [module])) return undefined;
  return resolveAddresses(module.manifest, addressesOf(config))['api'];
}

async function saveAllOf(deps: AddingDeps, customer: DemoCustomer, sandboxUrl: string): Promise<void> {
  const user = demoUsers.find(({ customerIds }) => customerIds.includes(customer.id));
  if (user === undefined) return;
  const scope = authorisedCustomer(customer.id, user.resellerId, 'system');
  const missing: DemoMethod[] = [];
  for (const method of demoMethods.filter((one) => one.customer === customer.key))
    if ((await findSetupByKey(deps.db, scope, keyOf(method))) === undefined) missing.push(method);
  // Opening the account loads its provider's library, so only for what is to be saved.
  const adding = missing.length === 0 ? undefined : await actingAs(deps, customer, user);
  if (adding === undefined) return;
  for (const method of missing) await save(deps, adding, customer, method, sandboxUrl);
  if (demoAutoPay.includes(customer.key)) await setChargePermission(deps, adding, adding.brand, true);
}

const keyOf = ({ customer, place }: DemoMethod): string => `demo ${customer} ${place}`;

const isSandbox = async (url: string): Promise<boolean> =>
  fetch(`${url}/_sandbox/health`, { signal: AbortSignal.timeout(LOOK_WITHIN_MS) })
    .then((answer) => answer.ok)
    .catch(() => false);

/** The customer's own user, as if signed in; undefined where the reseller's gateway is not of this program. */
async function actingAs(
  deps: AddingDeps,
  { id, brandId, label }: DemoCustomer,
  user: (typeof demoUsers)[number],
): Promise<Adding | undefined> {
  const account = await deps.accounts.activeFor(user.resellerId);
  if (account === undefined) return undefined;
  const { resellerId, email, name } = user;
  const session = authenticatedSession({
    sessionId: fixedId(`session ${email}`),
    userId: fixedId(`user ${email}`),
    resellerId,
    email,
    displayName: name,
    actor: null,
    needsSecondFactor: false,
    passwordExpiresAt: null,
    customers: [{ customerId: id, label, brandId, isAreaOff: false }],
  });
  const brand = brandFromRow(await findCustomerBrand(deps.db, id, resellerId));
  const origin = { address: '127.0.0.1', agent: 'Demo world' };
  return { session, scope: authorisedCustomer(id, resellerId, 'system'), account, brand, origin };
}

async function save(
  deps: AddingDeps,
  adding: Adding,
  customer: DemoCustomer,
  method: DemoMethod,
  sandboxUrl: string,
): Promise<void> {
  const atGateway = sandboxCalls(sandboxUrl, adding.scope.resellerId);
  const token = await atGateway('publishableKey', '/v1/payment_methods', {
    type: method.scheme,
    ...billingOf(customer, method.scheme === 'card' ? adding.session.displayName : customer.label),
    ...method.entered,
  });
  const saved = await addByToken(deps, adding, {
    token,
    clientKey: keyOf(method),
    scheme: method.scheme,
    email: customer.email,
    ...(method.scheme === 'card' ? {} : { mandateAccepted: true }),
  });
  if (saved.expected === 'days')
    await resultOf(deps, adding, { reqUid: saved.reqUid, descriptorCode: DEPOSIT_CODE });
  if (method.expiresIn !== undefined) {
    // The provider's test cards are all valid for a year; that these are not, their gateway tells as it tells news.
    const { year, month } = monthAfter(deps.clock.now(), method.expiresIn);
    const expiry = { 'card[exp_month]': `${month}`, 'card[exp_year]': `${year}` };
    await atGateway('secretKey', `/v1/payment_methods/${token}`, expiry);
    const event = { id: token, about: 'method', remote: remoteId(token) } as const;
    if ((await receiveMethodEvent(deps, adding.account, event)) === undefined)
      throw new Error('the sandbox does not tell how a card stands');
  }
}

const billingOf = ({ email, street, city, postalCode, country }: DemoCustomer, holder: string) => ({
  'billing_details[name]': holder,
  'billing_details[email]': email,
  'billing_details[address][line1]': street,
  'billing_details[address][city]': city,
  'billing_details[address][postal_code]': postalCode,
  'billing_details[address][country]': country,
});

function monthAfter(now: Date, months: number): { readonly year: number; readonly month: number } {
  const count = now.getUTCFullYear() * 12 + now.getUTCMonth() + months;
  return { year: Math.floor(count / 12), month: (count % 12) + 1 };
}

/** Calls of the reseller's account at the sandbox. @returns the id of what was made or changed */
function sandboxCalls(sandboxUrl: string, resellerId: number) {
  const keys = demoStripeKeys(resellerId);
  return async (
    key: 'publishableKey' | 'secretKey',
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<string> => {
    const answer = await fetch(`${sandboxUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[key]}` },
      body: new URLSearchParams(fields),
    });
    const made = (await answer.json()) as { readonly id?: string };
    if (!answer.ok || made.id === undefined)
      throw new Error(`the sandbox refused ${path}: ${JSON.stringify(made)}`);
    return made.id;
  };
}
