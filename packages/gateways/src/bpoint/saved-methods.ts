/** Tokens of BPOINT's vault. The list of a customer's methods is ours; BPOINT keeps what a token stands for. */
import type * as z from 'zod/mini';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type { Gateway, GatewayState, MethodReading, SetupCompletion, SetupResult } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { type Answer, type Bpoint, notAttempted } from './client.ts';
import { hookOf, methodOf, processedTokenReply, reference, type TokenReply, tokenReply } from './wire.ts';

type SavedCalls = Required<
  Pick<Gateway, 'beginSetup' | 'completeSetup' | 'getMethod' | 'updateMethod' | 'removeMethod'>
>;

const path = (token: string): string => `/tokens/${encodeURIComponent(token)}`;

export const savedMethods = (api: Bpoint): SavedCalls => ({
  /** Nothing is made here: the auth key of the entry is what is finished. */
  async beginSetup({ payer, person }) {
    const crn = payer?.['crn'] ?? reference(person.customerId);
    return {
      payer: { crn },
      payerRemote: remoteId(crn),
      result: { is: 'continue', action: { do: 'browser', config: {} }, state: { crn } },
    };
  },
  completeSetup: (request) => complete(api, request),
  async getMethod(method): Promise<MethodReading> {
    const answer = await api.call('GET', path(method['token'] ?? ''), undefined, tokenReply);
    if (answer.is === 'ok') return { is: 'there', method: methodOf(answer.value) };
    return isGone(answer) ? { is: 'gone' } : { is: 'unknown', evidence: answer.detail };
  },
  updateMethod: (_ref, method, change) => update(api, method, change),
  async removeMethod(method) {
    const answer = await api.call('DELETE', path(method['token'] ?? ''), undefined);
    return answer.is === 'ok' || isGone(answer) ? 'gone' : 'unknown';
  },
});

const isGone = (answer: Answer<unknown>): boolean => answer.is === 'refused' && answer.why === 'notFound';

/**
 * Processes the auth key that the browser has attached a method to. Once processed it cannot be again: after a lost answer
 * the payer begins again, and the token that was made stays unused.
 */
async function complete(api: Bpoint, { input, step, owner, entry }: SetupCompletion): Promise<SetupResult> {
  if ('secrets' in input) {
    destroySecrets(input);
    return { is: 'notAttempted', why: 'invalid', detail: 'BPOINT takes numbers from the browser only' };
  }
  const authkey = entry?.['authkey'] ?? ('token' in input ? input.token : undefined);
  if (authkey === undefined) return { is: 'continue', action: { do: 'browser', config: {} }, state: step };
  const key = `/tokens/authkeys/${encodeURIComponent(authkey)}`;
  const answer = await process(api, key, owner?.email && { crn1: step['crn'], emailAddress: owner.email });
  switch (answer.is) {
    case 'ok':
      return { is: 'saved', method: methodOf(answer.value.token) };
    case 'refused':
      if (answer.why === 'config') return notAttempted(answer);
      return { is: 'refused', why: { class: 'fixInput', code: answer.why, text: answer.text } };
    case 'notSent':
      return notAttempted(answer);
    case 'unclear':
      return { is: 'unknown', evidence: answer.detail };
  }
}

/** @param details in place of those that its form was prepared with, where an address was typed */
async function process(
  api: Bpoint,
  key: string,
  details: object | '' | undefined,
): Promise<Answer<z.output<typeof processedTokenReply>>> {
  if (details) {
    const put = await api.call('PUT', `${key}/token-details`, details);
    // Nothing was kept so far.
    if (put.is === 'unclear') return { ...put, is: 'notSent' };
    if (put.is !== 'ok') return put;
  }
  return api.call('POST', `${key}/process`, hookOf(api.config), processedTokenReply);
}

async function update(
  api: Bpoint,
  method: GatewayState,
  change: Readonly<Record<string, string>>,
): Promise<SetupResult> {
  const token = method['token'] ?? '';
  const { expMonth, expYear, name } = change;
  const expiry =
    expMonth && expYear ? { expiry: { month: expMonth.padStart(2, '0'), year: expYear.slice(-2) } } : {};
  const body = { ...(method['crn'] && { crn1: method['crn'] }), card: { ...expiry, ...(name && { name }) } };
  const answer: Answer<TokenReply> = await api.call('PUT', path(token), body, tokenReply);
  switch (answer.is) {
    case 'ok':
      return { is: 'saved', method: methodOf(answer.value) };
    case 'refused':
      if (answer.why === 'config') return notAttempted(answer);
      return { is: 'refused', why: { class: 'fixInput', code: answer.why, text: answer.text } };
    default:
      return { is: 'unknown', evidence: answer.detail };
  }
}
