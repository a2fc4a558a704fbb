/** What a new gateway is called in its files. */
export interface Names {
  /** Folder and id: lower-case kebab. */
  readonly id: string;
  /** As people write it. */
  readonly displayName: string;
  /** For types: PascalCase. */
  readonly type: string;
  /** Provider code of the specification. */
  readonly code: number;
}

/** `manifest.ts`: an account that takes cards by a token, knows no repeat and is asked by our reference. */
export const manifestFile = ({
  id,
  displayName,
  type,
  code,
}: Names): string => `import * as z from 'zod/mini';
import { configField, defineGateway } from '../port/define-gateway.ts';

const settings = z.object({
  apiKey: configField(z.string().check(z.trim(), z.minLength(1, 'must not be empty')), {
    label: 'API key',
    secret: true,
  }),
});

export type ${type}Settings = z.output<typeof settings>;
export type ${type}Role = 'api';

export const manifest = defineGateway({
  code: ${code},
  id: '${id}',
  displayName: '${displayName}',
  docs: 'https://${id}.example/docs',
  apiVersion: '1',
  integrationType: '${type}',
  roles: { api: { production: 'https://api.${id}.example', underBase: '/${id}/api' } },
  capabilities: {
    entry: { card: [{ how: 'providerFields', pci: 'A' }] },
    currencies: 'any',
    vault: { owner: 'ours', list: [], update: [], remove: 'local' },
    oneOff: 'direct',
    settles: { card: 'atOnce' },
    refund: { when: 'never', partial: false, voidBefore: false },
    repeat: 'refused',
    lookup: [
      {
        by: 'ref',
        mayCharge: false,
        savedMethodOnly: false,
        firstMs: 0,
        visibleMs: 'unknown',
        validMs: 'unknown',
        maxAttempts: 'any',
        pause: { firstMs: 4_000, factor: 1.5, mostMs: 60_000 },
        absenceProvenMs: 'never',
      },
    ],
    refundLookup: [],
    events: [],
    answerWithinMs: 20_000,
  },
  config: settings,
  csp: { script: [], frame: [], connect: ['api'] },
  publicConfig: () => ({}),
});
`;

/** `wire.ts`: requests and replies, translated both ways. */
export const wireFile = ({
  displayName,
  type,
}: Names): string => `/** What ${displayName} is sent and what it answers. No network, no clock, no configuration. */
import { money } from '@counterfoil/domain/money/money.ts';
import * as z from 'zod/mini';
import type { Charge, LookupResult, Outcome, RemoteId } from '../port/gateway.ts';

/** A payment as ${displayName} answers it; fields that are not read are not checked. */
export const paymentReply = z.object({ id: z.string(), status: z.string(), amount: z.int(), code: z.optional(z.string()) });
export type PaymentReply = z.output<typeof paymentReply>;

/** Body of the request that charges. @param token made by the provider's fields */
export function chargeBody(charge: Charge, token: string): Readonly<Record<string, string>> {
  return {
    reference: charge.ref,
    amount: charge.amount.minor.toString(),
    currency: charge.amount.currency,
    description: charge.labels.description,
    token,
  };
}

/** A payment's state, one line per documented status; a status never seen before is \`unknown\`, not a decline. */
export function outcomeFromWire(reply: PaymentReply, charge: Charge): Outcome {
  const remote = reply.id as RemoteId;
  switch (reply.status) {
    case 'approved':
      return { is: 'succeeded', remote, captured: captured${type}(reply, charge), state: { payment: reply.id } };
    case 'declined':
      return { is: 'declined', remote, why: { class: 'otherMethod', code: reply.code ?? '', text: 'Your card was declined' } };
    default:
      return { is: 'unknown', evidence: \`status \${reply.status}\`, state: { payment: reply.id } };
  }
}

/** What asking by our reference found. @param replies payments with that reference */
export function lookupFromWire(replies: readonly PaymentReply[], charge: Charge): LookupResult {
  const taken = replies.find(({ status }) => status === 'approved') ?? replies[0];
  return taken ? outcomeFromWire(taken, charge) : { is: 'absent', proven: false };
}

function captured${type}(reply: PaymentReply, charge: Charge) {
  return money(BigInt(reply.amount), charge.amount.currency);
}
`;

/** `wire.test.ts`: the translation, by table. */
export const wireTestFile = (_: Names): string => `import { expect, it } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import { chargeBody, lookupFromWire, outcomeFromWire } from './wire.ts';

const charge = testCharge();
const reply = (status: string) => ({ id: 'p1', status, amount: 12_550 });

it('sends our reference and the amount in minor units', () => {
  expect(chargeBody(charge, 'token')).toMatchObject({ reference: charge.ref, amount: '12550', currency: 'AUD' });
});

it.each([
  ['approved', 'succeeded'],
  ['declined', 'declined'],
  ['never seen before', 'unknown'],
])('reads %s as %s', (status, outcome) => {
  expect(outcomeFromWire(reply(status), charge).is).toBe(outcome);
});

it('takes the captured amount from the gateway', () => {
  expect(outcomeFromWire(reply('approved'), charge)).toMatchObject({ captured: charge.amount });
});

it('prefers a payment that took money, and proves nothing by an empty list', () => {
  expect(lookupFromWire([reply('declined'), reply('approved')], charge).is).toBe('succeeded');
  expect(lookupFromWire([], charge)).toEqual({ is: 'absent', proven: false });
});
`;

/** `gateway.ts`: the port, through the shared transport. */
export const gatewayFile = ({
  displayName,
  type,
}: Names): string => `/** One reseller's ${displayName} account behind the gateway port. */
import * as z from 'zod/mini';
import type { GatewayContext } from '../port/define-gateway.ts';
import { type HttpReply, jsonOf, outcomeOfFault, send } from '../kit/http.ts';
import type { Charge, LookupResult, Gateway, Outcome } from '../port/gateway.ts';
import { manifest, type ${type}Role, type ${type}Settings } from './manifest.ts';
import { chargeBody, lookupFromWire, outcomeFromWire, paymentReply } from './wire.ts';

export function createGateway(context: GatewayContext<${type}Settings, ${type}Role>): Gateway {
  const ask = (method: 'GET' | 'POST', path: string, body?: unknown): Promise<HttpReply> =>
    send(
      {
        method,
        url: \`\${context.addresses.api}\${path}\`,
        headers: { authorization: \`Bearer \${context.config.apiKey}\`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(context.timeoutMs === undefined ? {} : { timeoutMs: context.timeoutMs }),
      },
      context.fetch,
    );

  const findByReference = async (charge: Charge): Promise<LookupResult> => {
    const reply = await ask('GET', \`/payments?reference=\${encodeURIComponent(charge.ref)}\`);
    const read = readReply(reply, z.array(paymentReply));
    return read.is === 'read' ? lookupFromWire(read.value, charge) : { is: 'inconclusive', why: read.detail };
  };

  return {
    capabilities: manifest.capabilities,
    async verifyCredentials() {
      const reply = await ask('GET', '/account');
      if (reply.is === 'fault') return { ok: false, rights: [], why: reply.detail, unreachable: true };
      if (reply.status === 200) return { ok: true, rights: [] };
      return { ok: false, rights: [], why: \`status \${reply.status}\` };
    },
    async charge(charge): Promise<Outcome> {
      if (charge.source === 'lost' || !('token' in charge.source)) {
        return { is: 'notAttempted', why: 'invalid', detail: 'only a one-time token can be charged' };
      }
      const reply = await ask('POST', '/payments', chargeBody(charge, charge.source.token));
      if (reply.is === 'fault') return outcomeOfFault(reply.reach, reply.detail, undefined);
      if (reply.status === 401) return { is: 'notAttempted', why: 'config', detail: 'the key is refused' };
      const read = readReply(reply, paymentReply);
      return read.is === 'read' ? outcomeFromWire(read.value, charge) : { is: 'unknown', evidence: read.detail };
    },
    lookup: (charge) => findByReference(charge),
    handleReturn: (charge) => findByReference(charge),
    cancel: (charge) => findByReference(charge),
    async refund() {
      return { is: 'notAttempted', why: 'invalid', detail: 'this gateway takes no refunds' };
    },
  };
}

type Read<Value> = { readonly is: 'read'; readonly value: Value } | { readonly is: 'unclear'; readonly detail: string };

function readReply<Schema extends z.ZodMiniType>(reply: HttpReply, schema: Schema): Read<z.output<Schema>> {
  if (reply.is === 'fault') return { is: 'unclear', detail: reply.detail };
  if (reply.status >= 300) return { is: 'unclear', detail: \`status \${reply.status}\` };
  const body = jsonOf(reply.bytes);
  if (body.is === 'fault') return { is: 'unclear', detail: body.detail };
  const parsed = z.safeParse(schema, body.value);
  return parsed.success ? { is: 'read', value: parsed.data } : { is: 'unclear', detail: 'an answer of another shape' };
}
`;
