/** Payers of Pinch and their cards: found or made, listed and removed. Which one is the default is ours to know. */
import * as z from 'zod/mini';
import type {
  BillingOwner,
  Decline,
  Gateway,
  GatewayState,
  Method,
  MethodReading,
  OneTimeInput,
  Outcome,
  SaveState,
  SetupResult,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { errorsOf } from './card-token.ts';
import { type Answer, type Ask, inBrief, isOurFault, refusedCard, type Source, sourceOf } from './wire.ts';

const id = z.string().check(z.minLength(1), z.maxLength(100));

const sourceReply = z.looseObject({
  id,
  sourceType: z.nullish(z.string()),
  cardHolderName: z.nullish(z.string()),
  expiryDate: z.nullish(z.string()),
  displayCardNumber: z.nullish(z.string()),
  cardScheme: z.nullish(z.string()),
});
type SourceReply = z.output<typeof sourceReply>;

const payerReply = z.looseObject({
  id,
  emailAddress: z.nullish(z.string()),
  sources: z.nullish(z.array(sourceReply)),
});

// ---- What is read ----

/**
 * The last month a card is valid, YYYY-MM. It comes as the month's first midnight, in UTC or in the merchant's own zone, which is
 * east of it: half a day later it is that month in either.
 */
export function expiryMonth(date: string | null | undefined): string | undefined {
  const text = date ?? '';
  const at = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? undefined : new Date(at + 14 * 60 * 60_000).toISOString().slice(0, 7);
}

/**
 * A card as screens show it; undefined for a bank account.
 * @param email of its payer, the only one that Pinch keeps
 */
export function methodOf(
  payer: string,
  reply: SourceReply,
  email: string | null | undefined,
): Method | undefined {
  if (reply.sourceType != null && reply.sourceType !== 'credit-card') return undefined;
  const expires = expiryMonth(reply.expiryDate);
  const number = reply.displayCardNumber ?? undefined;
  const shown = {
    type: 'card',
    brand: reply.cardScheme ?? undefined,
    number,
    last4: /\d{2,4}$/.exec(number ?? '')?.[0],
    name: reply.cardHolderName ?? undefined,
    email: email ?? undefined,
    expMonth: expires?.slice(5),
    expYear: expires?.slice(0, 4),
  };
  return {
    remote: remoteId(reply.id),
    state: { payer, source: reply.id },
    kind: 'card',
    show: Object.fromEntries(
      Object.entries(shown).flatMap(([name, value]) =>
        value === undefined || value === '' ? [] : [[name, value]],
      ),
    ),
    ...(expires === undefined ? {} : { expires }),
    usable: 'now',
  };
}

// ---- What is sent ----

type NotAttempted = Extract<Outcome, { is: 'notAttempted' }>;
type Refused = { readonly is: 'refused'; readonly why: Decline };
type NotDone = NotAttempted | Refused;

const invalid = (detail: string): NotAttempted => ({ is: 'notAttempted', why: 'invalid', detail });

/** A call that moves no money and did not work. A payer or a card that was made all the same costs nothing. */
function notDone(answer: Answer): NotDone {
  if (answer.is === 'keysRefused') return { is: 'notAttempted', why: 'config', detail: answer.detail };
  if (answer.is === 'fault') return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
  const errors = errorsOf(answer.body);
  if (errors.length === 0) return invalid(`status ${answer.status} without a reason`);
  return isOurFault(errors) ? invalid(inBrief(errors)) : { is: 'refused', why: refusedCard(errors) };
}

const isDone = (answer: Answer): boolean =>
  answer.is === 'answer' && answer.status >= 200 && answer.status < 300;

const bodyOf = (answer: Answer): unknown => (answer.is === 'answer' ? answer.body : undefined);

/** First name and the rest: a payer needs the first alone. */
function payerNames(name: string): { readonly firstName: string; readonly lastName?: string } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return rest.length === 0 ? { firstName } : { firstName, lastName: rest.join(' ') };
}

const ownerMissing: Refused = {
  is: 'refused',
  why: {
    class: 'fixInput',
    code: 'payer',
    text: 'Enter the name of the cardholder and an email address',
  },
};

/** Makes a payer, or with `payer` gives it another name and address. */
async function putPayer(
  ask: Ask,
  { name, email }: Pick<BillingOwner, 'name' | 'email'>,
  payer?: string,
): Promise<{ readonly is: 'payer'; readonly payer: string } | NotDone> {
  if (name === undefined || name.trim() === '' || email === undefined || email.trim() === '')
    return ownerMissing;
  const answer = await ask('POST', '/payers', {
    ...(payer === undefined ? {} : { id: payer }),
    ...payerNames(name),
    emailAddress: email.trim(),
  });
  const parsed = isDone(answer) ? z.safeParse(payerReply, bodyOf(answer)) : undefined;
  return parsed?.success ? { is: 'payer', payer: parsed.data.id } : notDone(answer);
}

/** Gives a payer the card behind a token. */
async function addSource(
  ask: Ask,
  payer: string,
  token: string,
): Promise<{ readonly is: 'source'; readonly reply: SourceReply } | Answer> {
  const body = { sourceType: 'credit-card', token };
  const answer = await ask('POST', `/payers/${encodeURIComponent(payer)}/sources`, body);
  const parsed = isDone(answer) ? z.safeParse(sourceReply, bodyOf(answer)) : undefined;
  return parsed?.success ? { is: 'source', reply: parsed.data } : answer;
}

/**
 * A card that pays once, under a payer of its own: a token that is charged directly is added to the payer it names. Nothing secret is
 * needed from then on. The payer is kept before its card is made, so that a card whose answer is lost is found, and removed.
 */
export async function temporaryCard(
  ask: Ask,
  token: string,
  owner: BillingOwner | undefined,
  saveState: SaveState,
): Promise<{ readonly is: 'made'; readonly card: Source } | NotDone> {
  const put = await putPayer(ask, owner ?? {});
  if (put.is !== 'payer') return put;
  const { payer } = put;
  if (!(await isKept(saveState, { payer }))) return attemptEnded;
  const added = await addSource(ask, payer, token);
  if (added.is !== 'source') return notDone(added);
  const card = { payer, source: added.reply.id };
  return (await isKept(saveState, card)) ? { is: 'made', card } : attemptEnded;
}

const attemptEnded = invalid('the attempt has ended');

const isKept = (saveState: SaveState, state: GatewayState): Promise<boolean> =>
  saveState(state).then(
    () => true,
    () => false,
  );

type PayerReading =
  | {
      readonly is: 'payer';
      readonly email: string | null | undefined;
      readonly sources: readonly SourceReply[];
    }
  | { readonly is: 'gone' }
  | { readonly is: 'unclear'; readonly detail: string };

async function readPayer(ask: Ask, payer: string): Promise<PayerReading> {
  const answer = await ask('GET', `/payers/${encodeURIComponent(payer)}`);
  if (answer.is !== 'answer') return { is: 'unclear', detail: answer.detail };
  if (answer.status === 404) return { is: 'gone' };
  const parsed = answer.status === 200 ? z.safeParse(payerReply, answer.body) : undefined;
  return parsed?.success
    ? { is: 'payer', email: parsed.data.emailAddress, sources: parsed.data.sources ?? [] }
    : { is: 'unclear', detail: `a payer was not understood: status ${answer.status}` };
}

/** Removes a card. Gone twice is gone. */
export async function removeSource(ask: Ask, card: Source): Promise<'gone' | 'inUse' | 'unknown'> {
  const path = `/payers/${encodeURIComponent(card.payer)}/sources/${encodeURIComponent(card.source)}`;
  const answer = await ask('DELETE', path);
  if (isDone(answer)) return 'gone';
  const said = inBrief(errorsOf(bodyOf(answer)));
  if (/\bagreement\b/i.test(said)) return 'inUse';
  // Removed before, or the answer was lost: the payer tells.
  return (await readCard(ask, { ...card })).is === 'gone' ? 'gone' : 'unknown';
}

async function readCard(ask: Ask, state: GatewayState): Promise<MethodReading> {
  const card = sourceOf(state);
  if (card === undefined) return { is: 'gone' };
  const read = await readPayer(ask, card.payer);
  if (read.is === 'gone') return read;
  if (read.is === 'unclear') return { is: 'unknown', evidence: read.detail };
  const reply = read.sources.find((one) => one.id === card.source);
  const method = reply && methodOf(card.payer, reply, read.email);
  return method === undefined ? { is: 'gone' } : { is: 'there', method };
}

/** Removes every card of a payer that was made for one payment. @throws {Error} where one may be left */
export async function removeTemporaryCards(ask: Ask, payer: string): Promise<void> {
  const read = await readPayer(ask, payer);
  if (read.is === 'unclear') throw new Error(`temporary cards could not be read: ${read.detail}`);
  for (const { id: source } of read.is === 'payer' ? read.sources : [])
    if ((await removeSource(ask, { payer, source })) === 'unknown')
      throw new Error('the temporary card could not be removed');
}

// ---- The port ----

/** The parts of the port about saved cards. */
export function savedMethods(
  ask: Ask,
): Required<Pick<Gateway, 'beginSetup' | 'completeSetup' | 'listMethods' | 'getMethod' | 'removeMethod'>> {
  return {
    async beginSetup({ kind, payer: known, person }) {
      if (kind !== 'card') return { payer: undefined, result: invalid('Pinch saves cards only here') };
      const before = known?.['payer'];
      // One that cannot be read now is taken to be there: adding the card will tell.
      if (before !== undefined && (await readPayer(ask, before)).is !== 'gone') return started(before);
      const put = await putPayer(ask, person);
      return put.is === 'payer' ? started(put.payer) : { payer: undefined, result: put };
    },

    async completeSetup({ payer: known, input, owner, step }) {
      const payer = known['payer'];
      if (payer === undefined) return invalid('there is no payer');
      const token = tokenOf(input);
      // Nothing at Pinch says how a setup stands: a card whose answer was lost shows in the list.
      if (token === undefined) return { is: 'unknown', evidence: 'a setup cannot be looked up', state: step };
      if (owner?.name !== undefined && owner.email !== undefined) {
        const put = await putPayer(ask, owner, payer);
        if (put.is !== 'payer') return put;
      }
      const added = await addSource(ask, payer, token);
      if (added.is === 'source') {
        const method = methodOf(payer, added.reply, owner?.email);
        return method === undefined ? invalid('the token is not of a card') : { is: 'saved', method };
      }
      if (added.is === 'fault' && added.reach === 'sent')
        return { is: 'unknown', evidence: added.detail, state: step };
      return isDone(added)
        ? { is: 'unknown', evidence: 'an answer of another shape', state: step }
        : notDone(added);
    },

    async *listMethods({ payer }) {
      if (payer === undefined) return;
      const read = await readPayer(ask, payer);
      if (read.is === 'gone') return;
      if (read.is === 'unclear') throw new Error(`the saved cards could not be read: ${read.detail}`);
      for (const reply of read.sources) {
        const method = methodOf(payer, reply, read.email);
        if (method !== undefined) yield method;
      }
    },

    getMethod: (state) => readCard(ask, state),

    async removeMethod(state) {
      const card = sourceOf(state);
      return card === undefined ? 'gone' : removeSource(ask, card);
    },
  };
}

const tokenOf = (input: OneTimeInput): string | undefined => ('token' in input ? input.token : undefined);

function started(payer: string) {
  const result: SetupResult = { is: 'continue', action: { do: 'browser', config: {} }, state: { payer } };
  return { payer: { payer }, payerRemote: remoteId(payer), result };
}
