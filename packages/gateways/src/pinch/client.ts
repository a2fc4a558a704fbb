/** The API of a merchant: tokens that are kept, requests, and the list of events. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { jsonOf, send } from '../kit/http.ts';
import { redact } from '../kit/redact.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type { GatewayEvent } from '../port/gateway.ts';
import { errorsOf } from './card-token.ts';
import { adminWithinMs, manifest, modeOf, type PinchRole, type PinchSettings } from './manifest.ts';
import { type EventReply, eventReply, eventsOf, isFollowed, withLowerNames } from './webhook.ts';
import { type Answer, type Ask, inBrief, replayedOf } from './wire.ts';

export type PinchContext = GatewayContext<PinchSettings, PinchRole>;

const tokenReply = z.looseObject({ access_token: z.string().check(z.minLength(1)), expires_in: z.int() });

/** A token is renewed this long before its end. */
const renewBeforeMs = 60_000;

type Bearer =
  | { readonly is: 'token'; readonly token: string; readonly until: number }
  | Exclude<Answer, { is: 'answer' }>;

/** Tokens of an account: one is kept until shortly before its end, and only one is asked for at a time. */
function bearerOf({ config, addresses, clock, fetch, timeoutMs }: PinchContext) {
  let kept: Extract<Bearer, { is: 'token' }> | undefined;
  let underWay: Promise<Bearer> | undefined;

  const fetchToken = async (): Promise<Bearer> => {
    const keys = Buffer.from(`${config.applicationId}:${config.secretKey}`).toString('base64');
    const askedAt = clock.now().getTime();
    const reply = await send(
      {
        method: 'POST',
        url: `${addresses.auth}/connect/token`,
        headers: {
          authorization: `Basic ${keys}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials&scope=api1',
        timeoutMs: Math.min(adminWithinMs, timeoutMs ?? adminWithinMs),
      },
      fetch,
    );
    // Whatever became of it, the call it was meant for has not left.
    if (reply.is === 'fault') return { ...reply, reach: 'notSent' };
    const body = jsonOf(reply.bytes);
    const value = body.is === 'json' ? body.value : undefined;
    if (reply.status === 400 || reply.status === 401) {
      const said = z.safeParse(z.looseObject({ error: z.string() }), value);
      return { is: 'keysRefused', detail: redact(said.success ? said.data.error : `status ${reply.status}`) };
    }
    const token = z.safeParse(tokenReply, value);
    if (reply.status !== 200 || !token.success)
      return { is: 'fault', reach: 'notSent', detail: `no token: status ${reply.status}` };
    return {
      is: 'token',
      token: token.data.access_token,
      until: askedAt + token.data.expires_in * 1_000 - renewBeforeMs,
    };
  };

  /** @param spent a token that was refused */
  return async (spent?: string): Promise<Bearer> => {
    if (kept !== undefined && kept.token !== spent && kept.until > clock.now().getTime()) return kept;
    underWay ??= fetchToken().finally(() => {
      underWay = undefined;
    });
    const fresh = await underWay;
    if (fresh.is === 'token') kept = fresh;
    return fresh;
  };
}

/** Waits before a request that was refused for coming too fast is made again. */
const tooFastMs = [1_000, 3_000];

/** The API of an account. A token that is refused is renewed once, a request that came too fast made again. */
export function apiOf(context: PinchContext): Ask {
  const { config, addresses, fetch, timeoutMs, pause = sleep } = context;
  const bearer = bearerOf(context);

  const once = async (
    token: string,
    [method, path, body, withinMs = adminWithinMs]: Parameters<Ask>,
  ): Promise<Answer> => {
    const reply = await send(
      {
        method,
        url: `${addresses.api}/${modeOf(config)}${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          'pinch-version': manifest.apiVersion,
          ...(config.merchantId === '' ? {} : { 'current-merchant': config.merchantId }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: Math.min(withinMs, timeoutMs ?? withinMs),
      },
      fetch,
    );
    if (reply.is === 'fault') return reply;
    const { status, bytes } = reply;
    if (status === 429) return { is: 'fault', reach: 'notSent', detail: tooFast };
    if (status >= 500) return { is: 'fault', reach: 'sent', detail: `status ${status}` };
    if (bytes.byteLength === 0) return { is: 'answer', status, body: undefined };
    const read = jsonOf(bytes);
    return read.is === 'json'
      ? { is: 'answer', status, body: read.value }
      : { is: 'fault', reach: 'sent', detail: `status ${status}, ${read.detail}` };
  };

  return async (...request) => {
    let spent: string | undefined;
    let waits = 0;
    for (;;) {
      const token = await bearer(spent);
      if (token.is !== 'token') return token;
      const answer = await once(token.token, request);
      const wait = tooFastMs[waits];
      if (answer.is === 'fault' && answer.detail === tooFast && wait !== undefined) {
        waits += 1;
        await pause(wait);
      } else if (!isTokenRefused(answer)) return answer;
      else if (spent !== undefined)
        return { is: 'keysRefused', detail: `status ${answer.status} with a fresh token` };
      else spent = token.token;
    }
  };
}

const tooFast = 'too many requests';

/** 403 is also how a nonce that was used before is answered. */
const isTokenRefused = (answer: Answer): answer is Extract<Answer, { is: 'answer' }> =>
  answer.is === 'answer' &&
  (answer.status === 401 || (answer.status === 403 && replayedOf(403, answer.body) === undefined));

// ---- The list of events ----

const pageReply = z.looseObject({ data: z.array(z.unknown()), totalPages: z.nullish(z.int()) });

/** Without a cursor events are read as far back as this; behind a cursor, so far before it, for those that showed late. */
const firstReachMs = 7 * 24 * 60 * 60_000;
const overlapMs = 10 * 60_000;

/**
 * Events since the cursor (`<time of the last one>`), oldest first. Those of the last minutes before it come again: by their ids
 * they count once.
 * @throws {Error} when they cannot be read whole
 */
export async function* pollEvents(
  ask: Ask,
  now: Date,
  cursor: string | undefined,
): AsyncGenerator<GatewayEvent & { readonly cursor: string }> {
  const last = cursor === undefined ? now.getTime() - firstReachMs : Date.parse(cursor) - overlapMs;
  const since = new Date(last);
  let reached = cursor ?? since.toISOString();
  for (const event of await eventsSince(ask, since)) {
    const at = timeOf(event.eventDate);
    if (at > Date.parse(reached)) reached = new Date(at).toISOString();
    for (const one of eventsOf(await wholeEvent(ask, event))) yield { ...one, cursor: reached };
  }
}

/**
 * Ids of all payments that were made since then, by their events: the list of payments takes no time.
 * @throws {Error} when they cannot be read whole
 */
export async function paymentsSince(ask: Ask, since: Date): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const event of await eventsSince(ask, since))
    if (event.type === 'realtime-payment')
      for (const { remote } of eventsOf(await wholeEvent(ask, event))) if (remote) ids.add(remote);
  return ids;
}

/** Events that say anything of money, oldest first; the list has them without what they are about. */
async function eventsSince(ask: Ask, since: Date): Promise<readonly EventReply[]> {
  const events: EventReply[] = [];
  const startDate = encodeURIComponent(since.toISOString());
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const read = await readWhole(ask, `/events?startDate=${startDate}&page=${page}&pageSize=500`, pageReply);
    pages = read.totalPages ?? 1;
    for (const value of read.data) {
      const event = z.safeParse(eventReply, withLowerNames(value));
      if (!event.success) throw new Error('the events could not be read: not an event');
      if (isFollowed(event.data.type)) events.push(event.data);
    }
  }
  return events.sort((a, b) => timeOf(a.eventDate) - timeOf(b.eventDate));
}

const wholeEvent = (ask: Ask, event: EventReply): EventReply | Promise<EventReply> =>
  event.data == null ? readWhole(ask, `/events/${encodeURIComponent(event.id)}`, eventReply) : event;

const timeOf = (date: string | null | undefined): number => {
  const at = Date.parse(date ?? '');
  return Number.isNaN(at) ? 0 : at;
};

async function readWhole<Schema extends z.ZodMiniType>(
  ask: Ask,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const answer = await ask('GET', path);
  const detail =
    answer.is === 'answer' ? `status ${answer.status}, ${inBrief(errorsOf(answer.body))}` : answer.detail;
  const parsed = z.safeParse(schema, answer.is === 'answer' ? withLowerNames(answer.body) : undefined);
  if (answer.is !== 'answer' || answer.status !== 200 || !parsed.success)
    throw new Error(`the events could not be read: ${detail}`);
  return parsed.data;
}
