import { configField, defineGateway, type GatewayModule } from '@counterfoil/gateways/define-gateway.ts';
import { remoteId } from '@counterfoil/gateways/gateway-ref.ts';
import type {
  Charge,
  Closed,
  FindPlan,
  Found,
  Gateway,
  GatewayCheck,
  KeepBag,
  News,
  Outcome,
} from '@counterfoil/gateways/port.ts';
import * as z from 'zod/mini';

/**
 * A gateway that does what the test tells it. It keeps its own book of what was really taken, by reference,
 * so that a test can compare it with ours.
 */
export interface ScriptedGateway {
  readonly module: GatewayModule;
  /** What was really taken: reference → minor units, one entry per charge. */
  readonly taken: Map<string, bigint[]>;
  readonly calls: { charge: number; find: number; close: number };
  onCharge: (charge: Charge, keep: KeepBag) => Promise<Outcome>;
  onFind: (charge: Charge, plan?: FindPlan) => Promise<Found>;
  onClose: (charge: Charge) => Promise<Closed>;
  onCheck: () => GatewayCheck | Promise<GatewayCheck>;
  /** News of a webhook, by its body; trusted when the header `x-signed` is there. */
  onHook: (raw: Uint8Array) => readonly News[];
  /** Takes the money as a working gateway does, once per reference. */
  take(charge: Charge): Outcome;
}

/** @param plans ways to find out; one by reference, at any time, unless given */
export function scriptedGateway(plans?: readonly FindPlan[]): ScriptedGateway {
  const taken = new Map<string, bigint[]>();
  const scripted: ScriptedGateway = {
    module: undefined as unknown as GatewayModule,
    taken,
    calls: { charge: 0, find: 0, close: 0 },
    take(charge) {
      if (!taken.has(charge.ref)) taken.set(charge.ref, [charge.amount.minor]);
      return { is: 'succeeded', remote: remoteId(`r_${charge.ref}`), captured: charge.amount, bag: {} };
    },
    onCharge: async (charge) => scripted.take(charge),
    onFind: async (charge) =>
      taken.has(charge.ref) ? scripted.take(charge) : { is: 'absent', proven: true },
    onClose: async (charge) => (taken.has(charge.ref) ? scripted.take(charge) : { is: 'closed' }),
    onCheck: () => ({ ok: true, rights: [] }),
    onHook: () => [],
  };
  const plan = {
    by: 'ref',
    mayCharge: false,
    savedMethodOnly: false,
    firstMs: 0,
    visibleMs: 0,
    validMs: 'unknown',
    maxAsks: 'any',
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
      entry: { card: [{ how: 'providerFields', pci: 'A' }] },
      currencies: 'any',
      vault: { truth: 'gateway', list: [], edit: [], remove: 'remote' },
      unsaved: 'direct',
      settles: { card: 'atOnce' },
      refund: { when: 'any', partial: true, voidBefore: false },
      repeat: 'replayed',
      find: plans ?? [plan],
      findGiveBack: [plan],
      news: ['signedHook'],
    },
    config: z.object({ key: configField(z.string(), { label: 'Key', secret: true }) }),
    csp: { script: ['api'], frame: ['api'], connect: ['api'] },
    publicConfig: () => ({ publishableKey: 'pk_test', scriptUrl: 'https://gateway.example/script.js' }),
  });
  const gateway: Gateway = {
    can: manifest.capabilities,
    check: async () => scripted.onCheck(),
    charge: (charge, keep) => {
      scripted.calls.charge += 1;
      return scripted.onCharge(charge, keep);
    },
    find: (charge, _bag, plan) => {
      scripted.calls.find += 1;
      return scripted.onFind(charge, plan);
    },
    resume: (charge) => scripted.onFind(charge),
    close: (charge) => {
      scripted.calls.close += 1;
      return scripted.onClose(charge);
    },
    hook: (raw, headers) => ({
      is: 'accepted',
      trust: headers.has('x-signed') ? 'signed' : 'hint',
      news: scripted.onHook(raw),
    }),
    giveBack: async () => ({ is: 'notAttempted', why: 'invalid', detail: 'not scripted' }),
  };
  return Object.assign(scripted, { module: { manifest, createGateway: () => gateway } });
}
