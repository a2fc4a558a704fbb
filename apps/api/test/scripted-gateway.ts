import { SHARED_METHOD_PATHS } from '@counterfoil/contract/payment-methods.ts';
import { configField, defineGateway, type GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type {
  CancelResult,
  Charge,
  CredentialCheck,
  Gateway,
  GatewayEvent,
  GatewayState,
  LookupResult,
  LookupStrategy,
  Method,
  MethodReading,
  Outcome,
  Refund,
  RemoteId,
  SaveState,
  SetupCompletion,
  SetupRequest,
  SetupResult,
  SetupStarted,
} from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import * as z from 'zod/mini';

/**
 * A gateway that does what the test tells it. It keeps its own book of what was really taken, by reference,
 * so that a test can compare it with ours.
 */
export interface ScriptedGateway {
  readonly module: GatewayModule;
  /** What was really taken: reference → minor units, one entry per charge. */
  readonly taken: Map<string, bigint[]>;
  readonly calls: { charge: number; checkout: number; lookup: number; cancel: number };
  onCharge: (charge: Charge, saveState: SaveState) => Promise<Outcome>;
  /** A page that takes the money; absent as by default: there is none. */
  onCheckout: ((charge: Charge, saveState: SaveState) => Promise<Outcome>) | undefined;
  onLookup: (charge: Charge, plan?: LookupStrategy) => Promise<LookupResult>;
  /** Replaces the plans by which the gateway can be asked, until they are replaced again. */
  setPlans(plans: readonly LookupStrategy[]): void;
  /** A charge by the gateway's own id; absent as by default: it cannot be asked so. */
  onLookupByRemoteId: ((charge: Charge, remote: RemoteId) => Promise<LookupResult>) | undefined;
  onCancel: (charge: Charge) => Promise<CancelResult>;
  onVerifyCredentials: () => CredentialCheck | Promise<CredentialCheck>;
  /** Events of a webhook, by its body; trusted when the header `x-signed` is there. */
  onWebhook: (raw: Uint8Array) => readonly GatewayEvent[];
  /** Saving: by default a set-up that any token finishes, as the card that {@link ScriptedGateway.card} makes of it. */
  onBeginSetup: (request: SetupRequest) => Promise<SetupStarted>;
  onCompleteSetup: (request: SetupCompletion) => Promise<SetupResult>;
  onUpdateMethod: (method: GatewayState, change: Readonly<Record<string, string>>) => Promise<SetupResult>;
  onRemoveMethod: (method: GatewayState) => Promise<'gone' | 'inUse' | 'unknown'>;
  onGetMethod: (method: GatewayState) => Promise<MethodReading>;
  onListMethods: (payer: GatewayState) => AsyncIterable<Method>;
  onSetDefaultMethod: (payer: GatewayState, method: GatewayState) => Promise<'done' | 'unknown'>;
  onGetDefaultMethod: (payer: GatewayState) => Promise<RemoteId | null | 'unknown'>;
  /** Refunding: by default refused. */
  onRefund: (order: Refund) => Promise<Outcome>;
  onLookupRefund: (order: Refund) => Promise<LookupResult>;
  /** A card by its token. */
  card(token: string, over?: Partial<Method>): Method;
  /** Takes the money as a working gateway does, once per reference. */
  take(charge: Charge): Outcome;
}

/** @param plans ways to find out; one by reference, at any time, unless given */
export function scriptedGateway(plans?: readonly LookupStrategy[]): ScriptedGateway {
  const taken = new Map<string, bigint[]>();
  const scripted: ScriptedGateway = {
    module: undefined as unknown as GatewayModule,
    taken,
    calls: { charge: 0, checkout: 0, lookup: 0, cancel: 0 },
    take(charge) {
      if (!taken.has(charge.ref)) taken.set(charge.ref, [charge.amount.minor]);
      return { is: 'succeeded', remote: remoteId(`r_${charge.ref}`), captured: charge.amount, state: {} };
    },
    onCharge: async (charge) => scripted.take(charge),
    onCheckout: undefined,
    onLookup: async (charge) =>
      taken.has(charge.ref) ? scripted.take(charge) : { is: 'absent', proven: true },
    setPlans: (lookup) => void Object.assign(manifest.capabilities, { lookup }),
    onLookupByRemoteId: undefined,
    onCancel: async (charge) => (taken.has(charge.ref) ? scripted.take(charge) : { is: 'closed' }),
    onVerifyCredentials: () => ({ ok: true, rights: [] }),
    onWebhook: () => [],
    onBeginSetup: async ({ ref, payer, kind, scheme = '' }) => ({
      payer: payer ?? { customer: `cus_${ref}` },
      payerRemote: remoteId(payer?.['customer'] ?? `cus_${ref}`),
      result: {
        is: 'continue',
        action: { do: 'browser', config: { secret: `s_${ref}`, type: scheme || kind } },
        state: { setUp: ref, kind },
      },
    }),
    onCompleteSetup: async ({ input, step }) =>
      'token' in input
        ? { is: 'saved', method: scripted.card(input.token) }
        : { is: 'continue', action: { do: 'browser', config: {} }, state: step },
    onUpdateMethod: async (method, change) => ({
      is: 'saved',
      method: scripted.card(method['token'] ?? '', { show: { type: 'card', last4: '4242', ...change } }),
    }),
    onRemoveMethod: async () => 'gone',
    onGetMethod: async (method) => ({ is: 'there', method: scripted.card(method['token'] ?? '') }),
    async *onListMethods() {},
    onSetDefaultMethod: async () => 'done',
    onGetDefaultMethod: async () => null,
    onRefund: async () => ({ is: 'notAttempted', why: 'invalid', detail: 'not scripted' }),
    onLookupRefund: async () => ({ is: 'inconclusive', why: 'not scripted' }),
    card: (token, over = {}) => ({
      remote: remoteId(`m_${token}`),
      state: { token },
      kind: 'card',
      show: { type: 'card', brand: 'visa', last4: '4242', name: 'Jo Fox', expMonth: '8', expYear: '2031' },
      expires: '2031-08',
      fingerprint: `f_${token}`,
      usable: 'now',
      ...over,
    }),
  };
  const plan = {
    by: 'ref',
    mayCharge: false,
    savedMethodOnly: false,
    firstMs: 0,
    visibleMs: 0,
    validMs: 'unknown',
    maxAttempts: 'any',
    pause: { firstMs: 0, factor: 1, mostMs: 0 },
    absenceProvenMs: 0,
  } as const;
  const manifest = defineGateway({
    code: 99,
    id: 'scripted',
    displayName: 'Scripted',
    docs: 'https://gateway.example/docs',
    apiVersion: '1',
    integrationType: 'Stripe',
    roles: { api: { production: 'https://gateway.example', underBase: '' } },
    capabilities: {
      entry: {
        card: [{ how: 'providerFields', pci: 'A' }],
        bank: [{ how: 'ownFieldsToProvider', pci: 'A-EP' }],
      },
      currencies: 'any',
      vault: {
        owner: 'gateway',
        list: ['card', 'bank'],
        update: [
          'expMonth',
          'expYear',
          'name',
          'email',
          'line1',
          'line2',
          'city',
          'state',
          'postalCode',
          'country',
        ],
        remove: 'remote',
      },
      oneOff: 'direct',
      settles: { card: 'atOnce', bank: 'later' },
      refund: { when: 'any', partial: true, voidBefore: false },
      repeat: 'replayed',
      lookup: plans ?? [plan],
      refundLookup: [plan],
      events: ['signedWebhook'],
    },
    saved: {
      paths: SHARED_METHOD_PATHS,
      token: /^(tok|pm)_[A-Za-z0-9_]+$/,
      cardFields: [{ name: 'cardHolder', required: true }],
      debits: {
        1: {
          scheme: 'own_debit',
          title: 'Direct Debit',
          currency: 'USD',
          once: true,
          fields: [{ name: 'accountHolderName', required: true, min: 4 }],
          mandate: { version: 'm-1', text: 'I let {company} debit my account.' },
        },
        2: {
          scheme: 'proven_debit',
          title: 'ACH',
          currency: 'USD',
          fields: [{ name: 'accountHolderName', required: true, min: 4 }],
        },
      },
      present: ({ kind, show }) => ({
        [kind === 'card' ? 'scriptedCard' : 'scriptedAccount']: { last4: show['last4'] ?? '' },
      }),
    },
    config: z.object({ key: configField(z.string(), { label: 'Key', secret: true }) }),
    csp: { script: ['api'], frame: ['api'], connect: ['api'] },
    publicConfig: () => ({ publishableKey: 'pk_test', scriptUrl: 'https://gateway.example/script.js' }),
  });
  const gateway: Gateway = {
    capabilities: manifest.capabilities,
    verifyCredentials: async () => scripted.onVerifyCredentials(),
    charge: (charge, saveState) => {
      scripted.calls.charge += 1;
      return scripted.onCharge(charge, saveState);
    },
    get createCheckout() {
      const { onCheckout } = scripted;
      if (onCheckout === undefined) return undefined as never;
      return (charge: Charge, saveState: SaveState) => {
        scripted.calls.checkout += 1;
        return onCheckout(charge, saveState);
      };
    },
    lookup: (charge, _state, plan) => {
      scripted.calls.lookup += 1;
      return scripted.onLookup(charge, plan);
    },
    get lookupByRemoteId() {
      return scripted.onLookupByRemoteId as never;
    },
    handleReturn: (charge) => scripted.onLookup(charge),
    cancel: (charge) => {
      scripted.calls.cancel += 1;
      return scripted.onCancel(charge);
    },
    beginSetup: (request) => scripted.onBeginSetup(request),
    completeSetup: (request) => scripted.onCompleteSetup(request),
    listMethods: (payer) => scripted.onListMethods(payer),
    getMethod: (method) => scripted.onGetMethod(method),
    updateMethod: (_ref, method, change) => scripted.onUpdateMethod(method, change),
    removeMethod: (method) => scripted.onRemoveMethod(method),
    setDefaultMethod: (payer, method) => scripted.onSetDefaultMethod(payer, method),
    getDefaultMethod: (payer) => scripted.onGetDefaultMethod(payer),
    parseWebhook: (raw, headers) => ({
      is: 'accepted',
      trust: headers.has('x-signed') ? 'signed' : 'hint',
      events: scripted.onWebhook(raw),
    }),
    refund: (order) => scripted.onRefund(order),
    lookupRefund: (order) => scripted.onLookupRefund(order),
  };
  return Object.assign(scripted, { module: { manifest, createGateway: () => gateway } });
}
