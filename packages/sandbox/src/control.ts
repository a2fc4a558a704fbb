/** `/_sandbox/…`: the journal, faults, clock and webhooks, for tests and the curious. */
import { type FaultOrder, type Mode, modes, type Operation, operations } from './faults.ts';
import type { OpenHost } from './host.ts';
import type { Settings } from './settings.ts';
import { readWebhook, type WebhookAtStart } from './webhooks.ts';

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

class BadRequest extends Error {}

const yearMs = 366 * 24 * 3600 * 1000;

/** Answers one control request. Bad input is 400 with a sentence, an unknown path 404. */
export async function control(
  host: OpenHost,
  method: string,
  path: string,
  query: URLSearchParams,
  body: string,
): Promise<ControlAnswer> {
  try {
    const answer = await route(host, `${method} ${path}`, query, body);
    return answer === undefined
      ? { status: 404, body: { error: `There is no ${method} ${path}` } }
      : { status: 200, body: answer };
  } catch (cause) {
    if (cause instanceof BadRequest || cause instanceof SyntaxError) {
      return { status: 400, body: { error: cause.message } };
    }
    throw cause;
  }
}

async function route(host: OpenHost, call: string, query: URLSearchParams, body: string): Promise<unknown> {
  switch (call) {
    case 'GET /_sandbox':
    case 'GET /_sandbox/health':
      return { gateways: [...host.instances.keys()], now: new Date(host.clock.now()).toISOString() };
    case 'GET /_sandbox/charges':
      return { charges: filter(host, query, 'charge'), refunds: filter(host, query, 'refund') };
    case 'GET /_sandbox/journal':
      return { notes: host.store.notes().slice(-numberIn(query.get('limit') ?? '1000', 'limit', 5000)) };
    case 'GET /_sandbox/faults':
      return { faults: host.faults.list() };
    case 'POST /_sandbox/faults':
      return host.faults.add(faultFrom(host, parse(body)));
    case 'DELETE /_sandbox/faults':
      host.faults.clear();
      return { faults: [] };
    case 'POST /_sandbox/clock':
      return advance(host, numberIn(parse(body)['advanceMs'], 'advanceMs', 10 * yearMs));
    case 'POST /_sandbox/reset':
      await host.reset();
      return { reset: true };
    case 'GET /_sandbox/settings':
      return host.settings;
    case 'POST /_sandbox/settings':
      return Object.assign(host.settings, settingsFrom(host.settings, parse(body)));
    case 'GET /_sandbox/webhooks':
      return {
        webhooks: host.webhooks.endpoints().map(({ secret: _secret, ...shown }) => shown),
        pending: host.webhooks.pending(),
      };
    case 'POST /_sandbox/webhooks':
      return register(host, parse(body));
    case 'DELETE /_sandbox/webhooks':
      return unregister(host, query.get('id'));
    default:
      return undefined;
  }
}

function parse(body: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(body === '' ? '{}' : body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new BadRequest('Send a JSON object');
  return parsed as Record<string, unknown>;
}

function filter(host: OpenHost, query: URLSearchParams, operation: 'charge' | 'refund') {
  const gateway = query.get('gateway');
  const reference = query.get('reference');
  return host.captures
    .list(operation)
    .filter((capture) => gateway === null || capture.gateway === gateway)
    .filter((capture) => reference === null || capture.reference === reference);
}

async function advance(host: OpenHost, byMs: number): Promise<unknown> {
  const tx = host.store.begin();
  host.clock.advance(tx, byMs);
  await tx.commit();
  await host.scheduler.runDue();
  host.webhooks.pump();
  return { now: new Date(host.clock.now()).toISOString(), aheadMs: host.clock.aheadMs };
}

function faultFrom(host: OpenHost, order: Record<string, unknown>): FaultOrder {
  const { gateway, operation, mode } = order;
  const instance = host.instances.get(String(gateway));
  if (instance === undefined)
    throw new BadRequest(`gateway must be one of ${[...host.instances.keys()].join(', ')}`);
  if (!operations.includes(operation as Operation))
    throw new BadRequest(`operation must be one of ${operations.join(', ')}`);
  if (!modes.includes(mode as Mode)) throw new BadRequest(`mode must be one of ${modes.join(', ')}`);
  const account = order['account'];
  const executed = order['executed'];
  return {
    gateway: String(gateway),
    operation: operation as Operation,
    mode: mode as Mode,
    times: numberIn(order['times'] ?? 1, 'times', 1_000_000),
    ...(order['ms'] === undefined ? {} : { ms: numberIn(order['ms'], 'ms', yearMs) }),
    ...(order['minor'] === undefined ? {} : { minor: numberIn(order['minor'], 'minor', 99_999_999) }),
    ...(typeof executed === 'boolean' ? { executed } : {}),
    ...(typeof account === 'string' ? { account: instance.accountOf(account) } : {}),
  };
}

function settingsFrom(known: Settings, change: Record<string, unknown>): Partial<Settings> {
  const accepted: Record<string, number | boolean> = {};
  for (const [name, value] of Object.entries(change)) {
    const current: unknown = known[name as keyof Settings];
    if (current === undefined) throw new BadRequest(`There is no setting ${name}`);
    if (typeof current === 'boolean') {
      if (typeof value !== 'boolean') throw new BadRequest(`${name} must be true or false`);
      accepted[name] = value;
    } else accepted[name] = numberIn(value, name, yearMs);
  }
  return accepted;
}

async function register(host: OpenHost, body: Record<string, unknown>): Promise<unknown> {
  let wanted: WebhookAtStart;
  try {
    wanted = readWebhook(body);
  } catch (cause) {
    throw new BadRequest(cause instanceof Error ? cause.message : 'Send gateway, url and secret');
  }
  const { secret: _secret, ...shown } = await registerWebhook(host, wanted);
  return shown;
}

/** Registers an address for signed webhooks; the same address again replaces its secret. */
export async function registerWebhook(host: OpenHost, wanted: WebhookAtStart) {
  const instance = host.instances.get(wanted.gateway);
  if (instance === undefined) throw new BadRequest(`There is no gateway ${wanted.gateway}`);
  const { account, ...rest } = wanted;
  const tx = host.store.begin();
  const endpoint = host.webhooks.register(
    tx,
    account === undefined ? rest : { ...rest, account: instance.accountOf(account) },
  );
  await tx.commit();
  return endpoint;
}

async function unregister(host: OpenHost, id: string | null): Promise<unknown> {
  const tx = host.store.begin();
  const ids = id === null ? host.webhooks.endpoints().map((endpoint) => endpoint.id) : [id];
  const removed = ids.filter((known) => host.webhooks.remove(tx, known));
  await tx.commit();
  return { removed };
}

function numberIn(value: unknown, name: string, most: number): number {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > most) {
    throw new BadRequest(`${name} must be a whole number from 0 to ${most}`);
  }
  return number;
}
