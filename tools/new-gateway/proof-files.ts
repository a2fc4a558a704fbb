import type { Names } from './server-files.ts';

/** `sandbox.ts`: the same protocol from the other side, written from the provider's documentation only. */
export const sandboxFile = ({
  id,
  displayName,
}: Names): string => `/** ${displayName}'s sandbox. Written from its documentation, never from \`wire.ts\`: one misreading must not sit on both sides. */
import type { Fault } from '@counterfoil/sandbox/faults.ts';
import { effectModes, transportModes } from '@counterfoil/sandbox/faults.ts';
import type { GatewaySandbox, SandboxHost, SandboxReply, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';

interface Payment {
  readonly id: string;
  readonly reference: string;
  readonly status: 'approved' | 'declined';
  readonly amount: number;
  readonly currency: string;
  readonly code?: string;
}

const json = (status: number, body: unknown): SandboxReply => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** What each test token comes to; another is refused. */
const tokens: Readonly<Record<string, Pick<Payment, 'status' | 'code'>>> = {
  tok_approved: { status: 'approved' },
  tok_declined: { status: 'declined', code: 'do_not_honour' },
  tok_funds: { status: 'declined', code: 'insufficient_funds' },
};

/** Breaks an answer as ordered: what was carried out stays so. */
function broken(fault: Fault | undefined, answer: SandboxReply): SandboxReply {
  switch (fault?.mode) {
    case 'timeout-after':
      return { kind: 'hang' };
    case 'reset-after':
      return { kind: 'reset' };
    case 'error-500-after':
    case 'replay-500':
    case 'lookup-down':
      return json(500, { error: 'internal' });
    case 'malformed':
      return { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body: '{' };
    default:
      return answer;
  }
}

function openOn(host: SandboxHost) {
  const payments = host.store.collection<Payment>('${id}/payment');
  /** Requests that were cut and are carried out once somebody has looked. */
  let late: (() => Promise<unknown>)[] = [];

  async function carryOut(account: string, body: Readonly<Record<string, string>>, minor?: number) {
    const { reference = '', amount = '', currency = '', token = '' } = body;
    const id = \`p\${payments.size + 1}\`;
    const payment: Payment = { id, reference, amount: minor ?? Number(amount), currency, ...(tokens[token] ?? { status: 'declined' }) };
    const tx = host.store.begin();
    tx.put(payments, id, payment);
    if (payment.status === 'approved')
      host.captures.record(tx, {
        gateway: '${id}',
        operation: 'charge',
        reference,
        idempotencyKey: null,
        metadata: {},
        remote: id,
        movement: id,
        account,
        minor: payment.amount,
        refundedMinor: 0,
        currency,
        state: 'captured',
        at: new Date(host.clock.now()).toISOString(),
      });
    await tx.commit();
    return payment;
  }

  async function pay(request: SandboxRequest, account: string): Promise<SandboxReply> {
    const body = JSON.parse(request.body.toString()) as Record<string, string>;
    if (!/^[1-9]\\d*$/.test(body['amount'] ?? '')) return json(400, { error: 'amount' });
    if (tokens[body['token'] ?? ''] === undefined) return json(400, { error: 'token' });
    if ([...payments.newest()].some(({ reference }) => reference === body['reference']))
      return json(409, { error: 'the reference was used before' });
    const fault = host.faults.take('${id}', 'charge', account, [...transportModes, ...effectModes]);
    if (fault?.mode === 'timeout-before') return { kind: 'hang' };
    if (fault?.mode === 'late') {
      late.push(() => carryOut(account, body));
      return { kind: 'reset' };
    }
    const payment = await carryOut(account, body, fault?.mode === 'partial' ? fault.minor : undefined);
    return broken(fault, json(200, payment));
  }

  return {
    async handle(request: SandboxRequest): Promise<SandboxReply> {
      const account = /^Bearer test_(\\w+)$/.exec(request.headers['authorization'] ?? '')?.[1];
      if (account === undefined) return json(401, { error: 'unauthorized' });
      switch (\`\${request.method} \${request.path}\`) {
        case 'GET /${id}/api/account':
          return json(200, {});
        case 'POST /${id}/api/payments':
          return pay(request, account);
        case 'GET /${id}/api/payments': {
          const asked = new URLSearchParams(request.query).get('reference');
          const found = [...payments.newest()].filter(({ reference }) => reference === asked);
          for (const carryOutNow of late.splice(0)) await carryOutNow();
          const fault = host.faults.take('${id}', 'find', account, transportModes);
          return broken(fault, json(200, found));
        }
        default:
          return json(404, { error: 'not found' });
      }
    },
    run(task: string): void {
      throw new Error(\`there is no task \${task}\`);
    },
    webhook: () => undefined,
    accountOf: (name: string) => name,
    reset(): void {
      late = [];
    },
  };
}

export const sandbox: GatewaySandbox = { gateway: '${id}', prefixes: ['/${id}'], open: openOn };
`;

/** `cases-data.ts`: what the list of cases is told of the provider's test data. */
export const casesDataFile = ({ displayName }: Names): string => `/** ${displayName}'s test data. */
import type { CasesData, TestMethod } from '../cases/data.ts';

const card = (token: string): TestMethod => ({ kind: 'card', once: () => ({ token }) });
const text = 'Your card was declined';

export const casesData: CasesData = {
  good: card('tok_approved'),
  declines: [
    { name: 'generic', method: card('tok_declined'), why: { code: 'do_not_honour', class: 'otherMethod', text } },
    { name: 'funds', method: card('tok_funds'), why: { code: 'insufficient_funds', class: 'otherMethod', text } },
  ],
  decline: 'funds',
  spoil: (settings) => ({ ...settings, apiKey: 'nobody' }),
  sandbox: { settings: { apiKey: 'test_cases' } },
  proves: {},
  notChecked: ['What a person does in a browser.'],
};
`;

/** `demo.ts`: accounts in the sandbox for a demo world. */
export const demoFile = ({ displayName }: Names): string => `/** ${displayName}'s part of the demo world. */
import type { GatewayDemo } from '../port/demo.ts';

export const demo: GatewayDemo = {
  settings: (name) => [\`apiKey=test_\${name}\`],
  schemes: {},
};
`;
