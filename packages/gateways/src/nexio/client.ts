/** Calls to one Nexio account, and what their answers are when they are not what was asked for. */
import * as z from 'zod/mini';
import { jsonOf, send } from '../kit/http.ts';
import { type JsonValue, lendJson } from '../kit/json-body.ts';
import { redact } from '../kit/redact.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type { MethodKind, Outcome } from '../port/gateway.ts';
import { manifest, type NexioRole, type NexioSettings } from './manifest.ts';
import { type ErrorMeaning, errorReply, listReply, meaningOf, type RowReply } from './wire.ts';

export type Answer<Value> =
  | { readonly is: 'ok'; readonly value: Value }
  /** The service has refused: nothing was done. */
  | (Exclude<ErrorMeaning, { is: 'unknown' }> & { readonly detail: string })
  | { readonly is: 'notSent'; readonly detail: string }
  /** It may have been done. */
  | { readonly is: 'unclear'; readonly detail: string };

export interface Call<Schema extends z.ZodMiniType> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: JsonValue;
  readonly schema: Schema;
  /** What a decline is called for. */
  readonly kind?: MethodKind;
}

/** Rows of one page, and pages that are read: more would be a fault of the filter. */
const PAGE = 100;
const MOST_PAGES = 20;

export type Nexio = ReturnType<typeof nexio>;

export function nexio(context: GatewayContext<NexioSettings, NexioRole>) {
  const { config, addresses, clock } = context;
  const login = Buffer.from(`${config.username}:${config.password}`).toString('base64');
  const headers = {
    authorization: `Basic ${login}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const base = config.environment === 'test' ? addresses.apiTest : addresses.api;

  async function call<Schema extends z.ZodMiniType>({
    method,
    path,
    body,
    schema,
    kind = 'card',
  }: Call<Schema>): Promise<Answer<z.output<Schema>>> {
    const ask = (bytes?: Uint8Array<ArrayBuffer>) =>
      send(
        {
          method,
          url: `${base}${path}`,
          headers,
          timeoutMs: context.timeoutMs ?? manifest.capabilities.answerWithinMs,
          ...(bytes && { body: bytes }),
        },
        context.fetch,
      );
    const reply = await (body === undefined ? ask() : lendJson(body, ask));
    if (reply.is === 'fault')
      return { is: reply.reach === 'notSent' ? 'notSent' : 'unclear', detail: reply.detail };
    const { status, bytes } = reply;
    const json = jsonOf(bytes);
    if (status >= 200 && status < 300) {
      if (json.is === 'fault') return { is: 'unclear', detail: json.detail };
      const parsed = z.safeParse(schema, json.value);
      return parsed.success
        ? { is: 'ok', value: parsed.data }
        : { is: 'unclear', detail: 'an answer of another shape' };
    }
    const error = z.safeParse(errorReply, json.is === 'json' ? json.value : undefined);
    const said = error.success ? error.data : { error: undefined, message: undefined };
    const detail = redact(`status ${status}: ${said.error ?? ''} ${said.message ?? ''}`);
    const meaning = meaningOf(status, said, kind);
    return meaning.is === 'unknown' ? { is: 'unclear', detail } : { ...meaning, detail };
  }

  return {
    config,
    base,
    log: context.log,
    now: () => clock.now(),
    call,
    /** All rows that a filter brings, with the objects that they lack by themselves. @throws {Error} where they cannot be read */
    async *rows(filter: Readonly<Record<string, string>>): AsyncIterable<RowReply> {
      const asked = new URLSearchParams({ ...filter, limit: String(PAGE) });
      let offset = 0;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        asked.set('offset', String(offset));
        const answer = await call({
          method: 'GET',
          path: `/transaction/v3?${asked}&customer.&plugin.`,
          schema: listReply,
        });
        if (answer.is !== 'ok') throw new Error(answer.detail);
        yield* answer.value.rows;
        if (answer.value.hasMore !== true) return;
        // A page may hold less than was asked for.
        offset += answer.value.rows.length;
      }
      throw new Error('the list does not end');
    },
  };
}

/** An answer to a call that moves no money. */
export function notAttempted(
  answer: Exclude<Answer<unknown>, { is: 'ok' }>,
): Extract<Outcome, { is: 'notAttempted' }> {
  const { detail } = answer;
  if (answer.is === 'declined') return { is: 'notAttempted', why: 'invalid', detail };
  if (answer.is !== 'refused') return { is: 'notAttempted', why: 'unreachable', detail };
  return { is: 'notAttempted', why: answer.why === 'config' ? 'config' : 'invalid', detail };
}
