/** Calls of the API: headers, envelopes, pages, and what is read of an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { jsonOf, send } from '../kit/http.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import { callWithinMs, type GocardlessRole, type GocardlessSettings, manifest } from './manifest.ts';
import { errorFromWire, listMeta, type WireError } from './wire.ts';

export type GocardlessContext = GatewayContext<GocardlessSettings, GocardlessRole>;

export type Answer<Value> =
  | { readonly is: 'ok'; readonly value: Value }
  /** Refused, or answered by something that is not understood; `error` only in the documented envelope. */
  | {
      readonly is: 'error';
      readonly status: number;
      readonly error: WireError | undefined;
      readonly detail: string;
    }
  | { readonly is: 'fault'; readonly reach: 'notSent' | 'sent'; readonly detail: string };

export type Fault = Exclude<Answer<never>, { is: 'ok' }>;

type Schema = z.ZodMiniType;
type Params = Readonly<Record<string, string>>;

export interface Client {
  /** One resource: the member `envelope` of the answer. */
  get<S extends Schema>(path: string, envelope: string, schema: S): Promise<Answer<z.output<S>>>;
  /** All of a list, page after page. A list of more than {@link mostPages} pages is an error. */
  list<S extends Schema>(
    path: string,
    envelope: string,
    schema: S,
    params: Params,
  ): Promise<Answer<readonly z.output<S>[]>>;
  /** Makes or changes something; sent once. @param key of an order that makes something, so that it is made once */
  post<S extends Schema>(
    path: string,
    envelope: string,
    schema: S,
    body: object,
    key?: string,
  ): Promise<Answer<z.output<S>>>;
}

const pageSize = 500;
export const mostPages = 20;
/** What is said of a list that is longer. */
const tooLong = `more than ${mostPages} pages`;
/** A look-up that meets the rate limit is made again this often, and waits no longer each time. */
const readTries = 3;
const longestWaitMs = 3_000;

/** How long the rate limit asks to wait: `RateLimit-Reset` is a date. */
function waitMs(headers: Headers, now: Date): number {
  const until = Date.parse(headers.get('ratelimit-reset') ?? '');
  const wait = Number.isNaN(until) ? 1_000 : until - now.getTime();
  return Math.min(Math.max(wait, 100), longestWaitMs);
}

export function openClient(context: GocardlessContext): Client {
  const { config, addresses, clock, fetch, timeoutMs = callWithinMs, pause = (ms) => sleep(ms) } = context;
  const base = config.environment === 'sandbox' ? addresses.apiSandbox : addresses.api;

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    key?: string,
  ): Promise<Answer<unknown>> => {
    for (let tries = 1; ; tries += 1) {
      const reply = await send(
        {
          method,
          url: base + path,
          headers: {
            authorization: `Bearer ${config.accessToken}`,
            'gocardless-version': manifest.apiVersion,
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(key === undefined ? {} : { 'idempotency-key': key }),
          },
          timeoutMs,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        fetch,
      );
      if (reply.is === 'fault') return reply;
      const { status } = reply;
      if (status === 429 && method === 'GET' && tries < readTries) {
        await pause(waitMs(reply.headers, clock.now()));
        continue;
      }
      const json = jsonOf(reply.bytes);
      if (status >= 200 && status < 300 && json.is === 'json') return { is: 'ok', value: json.value };
      const error = json.is === 'json' ? errorFromWire(json.value) : undefined;
      const detail = error?.detail ?? (json.is === 'json' ? 'no documented error' : json.detail);
      return { is: 'error', status, error, detail: `status ${status}: ${detail}` };
    }
  };

  const read = <S extends Schema>(answer: Answer<unknown>, schema: S): Answer<z.output<S>> => {
    if (answer.is !== 'ok') return answer;
    const parsed = z.safeParse(schema, answer.value);
    return parsed.success
      ? { is: 'ok', value: parsed.data }
      : { is: 'error', status: 200, error: undefined, detail: 'an answer of another shape' };
  };

  const one = <S extends Schema>(
    answer: Answer<unknown>,
    envelope: string,
    schema: S,
  ): Answer<z.output<S>> => {
    const whole = read(answer, z.record(z.string(), z.unknown()));
    return whole.is === 'ok' ? read({ is: 'ok', value: whole.value[envelope] }, schema) : whole;
  };

  return {
    get: async (path, envelope, schema) => one(await call('GET', path), envelope, schema),
    post: async (path, envelope, schema, body, key) =>
      one(await call('POST', path, body, key), envelope, schema),
    async list(path, envelope, schema, params) {
      const all: z.output<typeof schema>[] = [];
      let after: string | null | undefined;
      for (let page = 0; page < mostPages; page += 1) {
        const query = new URLSearchParams({ ...params, limit: `${pageSize}`, ...(after ? { after } : {}) });
        const answer = await call('GET', `${path}?${query}`);
        const items = one(answer, envelope, z.array(schema));
        if (items.is !== 'ok') return items;
        const meta = one(answer, 'meta', listMeta);
        if (meta.is !== 'ok') return meta;
        all.push(...items.value);
        after = meta.value.cursors.after;
        if (!after) return { is: 'ok', value: all };
      }
      return { is: 'error', status: 200, error: undefined, detail: tooLong };
    },
  };
}

/**
 * A list of a span of time, the earlier parts first, each with its newest first: one that is too long is read by halves.
 * @param span milliseconds since 1970, without the end
 * @throws {Error} when it cannot be read whole
 */
export async function* listParts<S extends Schema>(
  client: Client,
  path: '/events' | '/payments',
  schema: S,
  [start, end]: readonly [start: number, end: number],
): AsyncGenerator<readonly z.output<S>[]> {
  const [from, to] = [start, end].map((ms) => new Date(ms).toISOString());
  const span = { 'created_at[gte]': from ?? '', 'created_at[lt]': to ?? '' };
  const listed = await client.list(path, path.slice(1), schema, span);
  if (listed.is === 'ok') yield listed.value;
  else if (listed.detail === tooLong && end - start > 1) {
    const middle = Math.floor((start + end) / 2);
    yield* listParts(client, path, schema, [start, middle]);
    yield* listParts(client, path, schema, [middle, end]);
  } else throw new Error(`${path.slice(1)} cannot be read: ${listed.detail}`);
}

/** An id of the gateway as a step of a path. */
export const step = (id: string): string => encodeURIComponent(id);

/** That what was asked for is not there, or not any more. An unknown path says so of the address alone. */
export const isMissing = (answer: Fault): boolean =>
  answer.is === 'error' &&
  answer.error !== undefined &&
  answer.error.reason !== 'path_not_found' &&
  (answer.status === 404 || answer.status === 410);
