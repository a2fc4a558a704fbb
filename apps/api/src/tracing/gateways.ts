import type { GatewayFetch } from '@counterfoil/gateways/kit/http.ts';
import type { Gateway } from '@counterfoil/gateways/port/gateway.ts';
import { currentTracer, traced } from './spans.ts';

/** The operations of the port that may call the provider and give one answer. */
const OPERATIONS = [
  'verifyCredentials',
  'charge',
  'createCheckout',
  'lookup',
  'lookupByRemoteId',
  'handleReturn',
  'cancel',
  'cleanUp',
  'prepareEntry',
  'refund',
  'lookupRefund',
  'beginSetup',
  'completeSetup',
  'getMethod',
  'setDefaultMethod',
  'getDefaultMethod',
  'updateMethod',
  'removeMethod',
  'resolveEvent',
  'listReversals',
] as const satisfies readonly (keyof Gateway)[];
const operations: ReadonlySet<string | symbol> = new Set(OPERATIONS);

/** Answers that are words; other texts may be a provider's ids. */
const WORDS: ReadonlySet<unknown> = new Set(['done', 'unknown', 'gone', 'inUse', 'inconclusive']);

/** What came of an operation, as the port calls it. */
function outcomeOf(result: unknown): string {
  if (WORDS.has(result)) return String(result);
  if (typeof result !== 'object' || result === null) return 'answered';
  if ('is' in result && typeof result.is === 'string') return result.is;
  if ('ok' in result) return result.ok === true ? 'ok' : 'refused';
  return 'answered';
}

/** The gateway, each of whose operations is a span with what came of it. Where nothing is traced it is the gateway itself. */
export function traceGateway(id: string, gateway: Gateway): Gateway {
  if (currentTracer() === undefined) return gateway;
  return new Proxy(gateway, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (!operations.has(name)) return member.bind(target);
      const facts = { 'counterfoil.gateway': id, 'counterfoil.operation': String(name) };
      return (...args: unknown[]) =>
        traced('internal', `${id} ${String(name)}`, facts, async (span) => {
          const result: unknown = await member.apply(target, args);
          span?.tell({ 'counterfoil.outcome': outcomeOf(result) });
          return result;
        });
    },
  });
}

/**
 * How a gateway's calls are sent where they are traced: method, host and status of each. Paths hold ids, and nothing of the trace is sent
 * along. @returns undefined where nothing is traced
 */
export function tracedFetch(id: string): GatewayFetch | undefined {
  if (currentTracer() === undefined) return undefined;
  return (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const facts = {
      'http.request.method': method,
      'server.address': address.hostname,
      'counterfoil.gateway': id,
    };
    return traced('client', method, facts, async (span) => {
      const response = await fetch(input, init);
      span?.tell({ 'http.response.status_code': response.status });
      if (response.status >= 500) span?.fail(String(response.status));
      return response;
    });
  };
}
