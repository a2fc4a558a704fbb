import { resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { DemoAccount, GatewayDemo } from '@counterfoil/gateways/port/demo.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Config } from '../../config.ts';
import { findCustomerBrand } from '../../features/brand/queries.ts';
import { brandFromRow } from '../../features/brand/service.ts';
import { receiveCallback } from '../../features/entries/callback.ts';
import {
  type Adding,
  type AddingDeps,
  addMethod,
  openSetup,
  prepareToSave,
  resultOf,
} from '../../features/payment-methods/adding.ts';
import { setChargePermission } from '../../features/payment-methods/charge-permission.ts';
import { receiveMethodEvent } from '../../features/payment-methods/events-service.ts';
import { findSetupByKey } from '../../features/payment-methods/setups/setup-row.ts';
import { gatewayAccounts } from '../../gateway-accounts.ts';
import { authenticatedSession, authorisedCustomer } from '../../http/requests/scope.ts';
import type { Runtime } from '../../runtime.ts';
import { demoAccount, demoGateways, demoOf } from '../gateways.ts';
import { addressesOf, reachesProvider } from '../sandbox-addresses.ts';
import { type DemoCustomer, demoCustomers, demoUsers } from '../world/customers.ts';
import { type DemoMethod, demoAutoPay, demoMethods } from '../world/methods.ts';
import { fixedId } from '../world/random.ts';

/** Nobody waits longer for a sandbox that may not be there. */
const LOOK_WITHIN_MS = 2_000;

/** What the demo world needs of the server to act as its customers. */
export type SetupDeps = Pick<Runtime, 'databases' | 'secrets' | 'clock' | 'log' | 'config'>;

/**
 * Gives the demo customers their saved methods: made at the sandbox as the provider's script makes them, and saved as a
 * customer saves them. One that was saved before is left as it is, also when it was removed since. Does nothing where
 * no sandbox is at the address the settings lead their gateway to.
 */
export async function saveDemoMethods(runtime: SetupDeps, modules: readonly GatewayModule[]): Promise<void> {
  const { databases, secrets, clock, log, config } = runtime;
  const served = modules.filter(({ manifest }) => {
    const demo = demoOf(manifest.id);
    return demo?.tokenise !== undefined || demo?.answerPage !== undefined;
  });
  const sandboxes = new Map<string, string>();
  for (const module of served) {
    const url = sandboxOf(config, module);
    if (url !== undefined && (await isSandbox(url))) sandboxes.set(module.manifest.id, url);
  }
  if (sandboxes.size === 0) return;
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
    await saveAllOf(deps, customer, sandboxes).catch((error: unknown) =>
      log.warn({ err: error, customer: customer.key }, 'the demo customer got no saved methods'),
    );
  }
}

/** The sandbox that the calls of a gateway lead to; undefined where that is the provider itself. */
function sandboxOf(config: Config, module: GatewayModule): string | undefined {
  if (reachesProvider(config, [module])) return undefined;
  const { api } = resolveAddresses(module.manifest, addressesOf(config));
  return api === undefined ? undefined : new URL(api).origin;
}

async function saveAllOf(
  deps: AddingDeps,
  customer: DemoCustomer,
  sandboxes: ReadonlyMap<string, string>,
): Promise<void> {
  const user = demoUsers.find(({ customerIds }) => customerIds.includes(customer.id));
  const gateway = demoGateways.find(({ resellerId }) => resellerId === user?.resellerId)?.gateway ?? '';
  const url = sandboxes.get(gateway);
  const demo = demoOf(gateway);
  if (user === undefined || url === undefined || demo === undefined) return;
  const scope = authorisedCustomer(customer.id, user.resellerId, 'system');
  const missing: DemoMethod[] = [];
  for (const method of demoMethods.filter((one) => one.customer === customer.key))
    if ((await findSetupByKey(deps.db, scope, keyOf(method))) === undefined) missing.push(method);
  // Opening the account loads its provider's library, so only for what is to be saved.
  const adding = missing.length === 0 ? undefined : await actingAs(deps, customer, user);
  if (adding === undefined) return;
  const account = { url, name: demoAccount(user.resellerId) };
  for (const method of missing) await save(deps, adding, customer, { method, demo, account });
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
  { id }: DemoCustomer,
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
    isLookOnly: false,
    needsSecondFactor: false,
    passwordExpiresAt: null,
  });
  const brand = brandFromRow(await findCustomerBrand(deps.db, id, resellerId));
  const origin = { address: '127.0.0.1', agent: 'Demo world' };
  return { session, scope: authorisedCustomer(id, resellerId, 'system'), account, brand, origin };
}

async function save(
  deps: AddingDeps,
  adding: Adding,
  { email, street, city, postalCode, country, label }: DemoCustomer,
  at: { readonly method: DemoMethod; readonly demo: GatewayDemo; readonly account: DemoAccount },
): Promise<void> {
  const { method, demo, account } = at;
  const scheme = demo.schemes[method.sample];
  if (scheme === undefined) return;
  const holder = scheme === 'card' ? adding.session.displayName : label;
  const owner = { holder, email, street, city, postalCode, country };
  if (demo.answerPage !== undefined) {
    const { reqUid, redirectToUrl: to } = await openSetup(deps, adding, scheme, keyOf(method));
    if (to === undefined) throw new Error('the gateway has opened no page');
    await demo.answerPage(to, method.sample, owner);
    await resultOf(deps, adding, { reqUid });
  }
  if (demo.tokenise === undefined) return;
  const isPrepared = adding.account.gateway.prepareEntry !== undefined;
  const entry = isPrepared
    ? await prepareToSave(deps, adding, scheme === 'card' ? {} : { scheme })
    : undefined;
  const made = await demo.tokenise(account, method.sample, owner, entry?.action);
  if (typeof made === 'object' && 'posted' in made) {
    if (entry === undefined) throw new Error('nothing was prepared that could be called back');
    const isSavedByAnother = () => Promise.resolve(false);
    await receiveCallback({ ...deps, isSavedByAnother }, entry.entryId, made.posted);
  }
  const { token, beside } = tokenOf(made);
  const saved = await addMethod(deps, adding, {
    entered: { token, beside, ...(entry && { entry: { entryId: entry.entryId } }) },
    clientKey: keyOf(method),
    scheme,
    email,
    isAgreed: true,
  });
  if (saved.expected === 'days' && demo.depositCode !== undefined)
    await resultOf(deps, adding, { reqUid: saved.reqUid, descriptorCode: demo.depositCode });
  if (method.expiresIn === undefined || demo.expire === undefined) return;
  // The provider's test cards are all valid for a year; that these are not, their gateway tells as it tells news.
  await demo.expire(account, token, monthAfter(deps.clock.now(), method.expiresIn));
  const event = { id: token, about: 'method', remote: remoteId(token) } as const;
  if ((await receiveMethodEvent(deps, adding.account, event)) === undefined)
    throw new Error('the sandbox does not tell how a card stands');
}

/** Nothing where the callback has it. */
const tokenOf = (
  made: Awaited<ReturnType<NonNullable<GatewayDemo['tokenise']>>>,
): { readonly token: string; readonly beside?: Readonly<Record<string, string>> } => {
  if (typeof made === 'string') return { token: made };
  return 'posted' in made ? { token: '' } : made;
};

function monthAfter(now: Date, months: number): { readonly year: number; readonly month: number } {
  const count = now.getUTCFullYear() * 12 + now.getUTCMonth() + months;
  return { year: Math.floor(count / 12), month: (count % 12) + 1 };
}
