/** Calls to one BPOINT facility, and what their answers are when they are not what was asked for. */
import * as z from 'zod/mini';
import { jsonOf, send } from '../kit/http.ts';
import { redact } from '../kit/redact.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type { Outcome } from '../port/gateway.ts';
import { type BpointRole, type BpointSettings, manifest } from './manifest.ts';
import { errorText, readError } from './wire.ts';

export type Answer<Value> =
  | { readonly is: 'ok'; readonly value: Value }
  /** The service has refused: nothing was done. */
  | {
      readonly is: 'refused';
      readonly why: 'config' | 'notFound' | 'flow' | 'invalid';
      /** For the log, redacted. */
      readonly detail: string;
      /** For a person. */
      readonly text: string;
    }
  | { readonly is: 'notSent'; readonly detail: string }
  /** It may have been done. */
  | { readonly is: 'unclear'; readonly detail: string };

export type Bpoint = ReturnType<typeof bpoint>;

export function bpoint(context: GatewayContext<BpointSettings, BpointRole>) {
  const { config, addresses } = context;
  const login = `${config.username}|${config.merchantNumber}:${config.password}`;
  const headers = {
    authorization: `Basic ${Buffer.from(login).toString('base64')}`,
    'content-type': 'application/json; charset=utf-8',
    accept: 'application/json',
  };

  return {
    config,
    log: context.log,
    now: () => context.clock.now(),
    /** @param schema of a good answer; undefined where its body says nothing (201 and empty) */
    async call<Schema extends z.ZodMiniType>(
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      body: unknown,
      schema?: Schema,
    ): Promise<Answer<z.output<Schema>>> {
      const reply = await send(
        {
          method,
          url: `${addresses.api}${path}`,
          headers,
          timeoutMs: context.timeoutMs ?? manifest.capabilities.answerWithinMs,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        context.fetch,
      );
      if (reply.is === 'fault')
        return { is: reply.reach === 'notSent' ? 'notSent' : 'unclear', detail: reply.detail };
      const { status, bytes } = reply;
      const json = jsonOf(bytes);
      if (status >= 200 && status < 300) {
        if (schema === undefined) return { is: 'ok', value: undefined as z.output<Schema> };
        // A maintenance page comes with 200: no verdict.
        if (json.is === 'fault') return { is: 'unclear', detail: json.detail };
        const parsed = z.safeParse(schema, json.value);
        return parsed.success
          ? { is: 'ok', value: parsed.data }
          : { is: 'unclear', detail: 'an answer of another shape' };
      }
      return refusal(status, json.is === 'json' ? json.value : undefined);
    },
  };
}

function refusal(status: number, value: unknown): Answer<never> {
  const error = value === undefined ? undefined : readError(value);
  const text = error === undefined ? `status ${status}` : errorText(error);
  const detail = redact(`status ${status}: ${error?.code ?? ''} ${text}`);
  if (
    status === 401 ||
    status === 403 ||
    /^(InvalidCredentials|InvalidPermissions|NotAuthenticated)$/.test(error?.code ?? '')
  )
    return { is: 'refused', why: 'config', detail, text };
  if (status === 404) return { is: 'refused', why: 'notFound', detail, text };
  if (status === 400 && error !== undefined)
    return { is: 'refused', why: error.code === 'InvalidFlow' ? 'flow' : 'invalid', detail, text };
  return { is: 'unclear', detail };
}

/** An answer to a call that moves no money. */
export function notAttempted(
  answer: Exclude<Answer<unknown>, { is: 'ok' }>,
): Extract<Outcome, { is: 'notAttempted' }> {
  if (answer.is !== 'refused') return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
  const why = answer.why === 'config' ? 'config' : 'invalid';
  return { is: 'notAttempted', why, detail: answer.detail };
}
