/** Tokens of Nexio's vault: how cards and accounts get in, and what can be done with them. The list of them is ours. */
import { destroySecrets, type SecretBytes } from '../kit/secret-bytes.ts';
import type {
  BillingOwner,
  Decline,
  EntryPrepared,
  EntryRequest,
  Gateway,
  GatewayState,
  MethodKind,
  MethodReading,
  OneTimeInput,
  Outcome,
  SetupCompletion,
  SetupResult,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { type Answer, type Nexio, notAttempted } from './client.ts';
import {
  cardsReply,
  customerOf,
  expiryOf,
  methodOf,
  otuReply,
  otuRequest,
  type VaultReply,
  vaultReply,
} from './wire.ts';

/** A one-time token lives an hour; a page renews its form before. */
export const ENTRY_LIVES_MS = 50 * 60_000;

const vaultPath = (kind: MethodKind, token: string): string =>
  `/pay/v3/vault/${kind === 'bank' ? 'echeck' : 'card'}/${encodeURIComponent(token)}`;
const kindIn = ({ kind }: GatewayState): MethodKind => (kind === 'bank' ? 'bank' : 'card');

const tokenOf = ({ token, tokenex }: VaultReply): string | undefined =>
  token?.token ?? tokenex?.token ?? undefined;

// ---- Entry: the provider's frame ----

/** Makes the one-time token that the provider's frame works with, before anything is typed. */
export async function prepareEntry(api: Nexio, request: EntryRequest): Promise<EntryPrepared> {
  const { purpose, person, payer, kind, ref, amount } = request;
  // A token that pays once is nobody's: it is told by the entry that it was made in.
  const customerRef = purpose === 'save' ? (payer?.['ref'] ?? person?.customerId ?? ref) : ref;
  const owner = person && { email: person.email };
  const body = otuRequest(api.config, customerRef, { owner, amount });
  const made = await api.call({ method: 'POST', path: '/pay/v3/token', body, schema: otuReply });
  if (made.is !== 'ok') return notAttempted(made);
  const page = `/pay/v3/${kind === 'bank' ? 'saveECheck' : 'saveCard'}`;
  const url = `${api.base}${page}?${new URLSearchParams({ token: made.value.token })}`;
  return {
    is: 'ready',
    action: { do: 'frame', url, origins: [new URL(api.base).origin] },
    state: { ref: customerRef },
    until: new Date(api.now().getTime() + ENTRY_LIVES_MS),
  };
}

// ---- What was entered ----

type NotAttempted = Extract<Outcome, { is: 'notAttempted' }>;
type Refused = { readonly is: 'refused'; readonly why: Decline };
type Unknown = { readonly is: 'unknown'; readonly evidence: string };

/** A card or account in the vault. */
export interface Vaulted {
  readonly is: 'vaulted';
  readonly token: string;
  readonly kind: MethodKind;
  readonly reply: VaultReply;
}

const invalid = (detail: string): NotAttempted => ({ is: 'notAttempted', why: 'invalid', detail });
const refused = (code: string, text: string): Refused => ({
  is: 'refused',
  why: { class: 'fixInput', code, text },
});

/** ABA check digit: weights 3, 7, 1. */
export function isRoutingNumber(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0), 0);
  return /^\d{9}$/.test(digits) && sum % 10 === 0;
}

/** Who a method is for, and what is known of whoever owns it. */
interface Holder {
  readonly customerRef: string;
  readonly owner: BillingOwner | undefined;
}

/**
 * A method that was entered: the frame has saved it, and it must be of this customer; or a page has encrypted it, and it is saved
 * now. No money moves.
 */
export async function vaulted(
  api: Nexio,
  input: OneTimeInput,
  kind: MethodKind,
  holder: Holder,
): Promise<Vaulted | Refused | NotAttempted | Unknown> {
  if ('token' in input) return readBack(api, kind, input.token, holder.customerRef);
  const { fields, code } =
    'secrets' in input ? { fields: input.beside, code: input.secrets.code } : { ...input, code: undefined };
  if ('secrets' in input && (input.secrets.number ?? input.secrets.account) !== undefined) {
    destroySecrets(input);
    return invalid('Nexio takes numbers encrypted only');
  }
  const saved = await (kind === 'bank'
    ? saveAccount(api, fields, holder)
    : saveCard(api, fields, code, holder));
  code?.destroy();
  return saved;
}

/** Whoever has a token may not use it for another customer. */
async function readBack(
  api: Nexio,
  kind: MethodKind,
  token: string,
  customerRef: string,
): Promise<Vaulted | NotAttempted | Unknown> {
  const answer = await api.call({ method: 'GET', path: vaultPath(kind, token), schema: vaultReply });
  if (answer.is !== 'ok')
    return answer.is === 'unclear' ? { is: 'unknown', evidence: answer.detail } : notAttempted(answer);
  const { value } = answer;
  if (value.data?.customer?.customerRef !== customerRef || tokenOf(value) !== token)
    return invalid('the token is of another customer');
  return { is: 'vaulted', token, kind, reply: value };
}

async function saveCard(
  api: Nexio,
  fields: Readonly<Record<string, string>>,
  code: SecretBytes | undefined,
  { customerRef, owner }: Holder,
): Promise<Vaulted | Refused | NotAttempted | Unknown> {
  const { encryptedNumber, firstSix, lastFour, cardType } = fields;
  const expiry = expiryOf(fields);
  const cardHolderName = owner?.name;
  if (encryptedNumber === undefined) return invalid('there is no card');
  if (expiry === undefined) return refused('expiry', 'Please provide valid date');
  if (!cardHolderName) return refused('holder', 'Enter the card holder name');
  const otu = await oneTimeToken(api, customerRef, owner);
  if (typeof otu !== 'string') return otu;
  const card = {
    encryptedNumber,
    expirationMonth: expiry.month,
    expirationYear: expiry.year,
    cardHolderName,
    cardType,
    firstSix,
    lastFour,
    securityCode: code,
  };
  const body = { token: otu, card, data: { customer: { ...customerOf(owner), customerRef } } };
  return made(await api.call({ method: 'POST', path: '/pay/v3/saveCard', body, schema: vaultReply }), 'card');
}

async function saveAccount(
  api: Nexio,
  { encryptedBankAccountNumber, routingNumber = '' }: Readonly<Record<string, string>>,
  { customerRef, owner }: Holder,
): Promise<Vaulted | Refused | NotAttempted | Unknown> {
  const accountHolderName = owner?.name;
  if (encryptedBankAccountNumber === undefined) return invalid('there is no account');
  if (!isRoutingNumber(routingNumber)) return refused('routing', 'Please check the routing number');
  if (!accountHolderName) return refused('holder', 'Enter the name of the account holder');
  const otu = await oneTimeToken(api, customerRef, owner);
  if (typeof otu !== 'string') return otu;
  const bank = { accountHolderName, routingNumber, encryptedBankAccountNumber };
  const body = { token: otu, bank, data: { customer: { ...customerOf(owner), customerRef } } };
  return made(
    await api.call({ method: 'POST', path: '/pay/v3/saveECheck', body, schema: vaultReply }),
    'bank',
  );
}

/** Good for one try: a failed one may have used it up. */
async function oneTimeToken(
  api: Nexio,
  customerRef: string,
  owner: BillingOwner | undefined,
): Promise<string | NotAttempted> {
  const body = otuRequest(api.config, customerRef, { owner });
  const answer = await api.call({ method: 'POST', path: '/pay/v3/token', body, schema: otuReply });
  return answer.is === 'ok' ? answer.value.token : notAttempted(answer);
}

function made(answer: Answer<VaultReply>, kind: MethodKind): Vaulted | Refused | NotAttempted | Unknown {
  switch (answer.is) {
    case 'ok': {
      const token = tokenOf(answer.value);
      if (token === undefined) return { is: 'unknown', evidence: 'saved without a token' };
      return { is: 'vaulted', token, kind, reply: answer.value };
    }
    case 'declined':
      return { is: 'refused', why: answer.why };
    case 'refused':
      if (answer.why !== 'invalid') return notAttempted(answer);
      if (/expir/i.test(answer.detail)) return refused('expiry', 'Please provide valid date');
      return refused('400', kind === 'card' ? 'Check the card number' : 'Check the account number');
    case 'notSent':
      return notAttempted(answer);
    case 'unclear':
      return { is: 'unknown', evidence: answer.detail };
  }
}

// ---- The port ----

type SavedCalls = Required<
  Pick<Gateway, 'beginSetup' | 'completeSetup' | 'getMethod' | 'updateMethod' | 'removeMethod'>
>;

/** The parts of the port about saved methods. */
export const savedMethods = (api: Nexio): SavedCalls => ({
  async beginSetup({ payer, person, kind }) {
    const ref = payer?.['ref'] ?? person.customerId;
    return {
      payer: { ref },
      payerRemote: remoteId(ref),
      result: { is: 'continue', action: { do: 'browser', config: {} }, state: { ref, kind } },
    };
  },
  completeSetup: (request) => complete(api, request),
  getMethod: (state) => read(api, state),
  updateMethod: (_ref, state, change) => update(api, state, change),
  async removeMethod(state) {
    // No call removes an account: the vault keeps it, and we forget it.
    if (kindIn(state) === 'bank') return 'gone';
    return (await deleteToken(api, state['token'] ?? '')) ? 'gone' : 'unknown';
  },
});

const anything = vaultReply;

/** @returns whether it is gone, now or since before */
export async function deleteToken(api: Nexio, token: string): Promise<boolean> {
  const body = { tokens: [token] };
  const answer = await api.call({ method: 'POST', path: '/pay/v3/deleteToken', body, schema: anything });
  return answer.is === 'ok' || (answer.is === 'refused' && answer.why === 'notFound');
}

/** Tokens of cards that carry a customer reference. @throws {Error} when they cannot be read */
export async function tokensOf(api: Nexio, customerRef: string): Promise<readonly string[]> {
  const filter = new URLSearchParams({ customerRef, merchantId: api.config.merchantId, limit: '100' });
  const answer = await api.call({ method: 'GET', path: `/card/v3?${filter}`, schema: cardsReply });
  if (answer.is !== 'ok') throw new Error(answer.detail);
  // Whatever the filter did: no other card is removed.
  return answer.value.rows.flatMap((row) => (row.customerRef === customerRef ? [row.token] : []));
}

async function complete(api: Nexio, { input, step, owner }: SetupCompletion): Promise<SetupResult> {
  // Nothing was entered: it is only asked how the setup stands.
  if ('fields' in input && Object.keys(input.fields).length === 0)
    return { is: 'continue', action: { do: 'browser', config: {} }, state: step };
  const kind = kindIn(step);
  const entered = await vaulted(api, input, kind, { customerRef: step['ref'] ?? '', owner });
  if (entered.is === 'unknown') return { ...entered, state: step };
  if (entered.is !== 'vaulted') return entered;
  const { token } = entered;
  if (kind === 'bank') {
    const { name, email, billing } = owner ?? {};
    const typed = { name, email, line1: billing?.line1 };
    const known = Object.entries(typed).flatMap(([key, value]) => (value ? [[key, value]] : []));
    return {
      is: 'saved',
      method: methodOf(entered.reply, { token, kind, ...Object.fromEntries(known) }),
    };
  }
  const state = { token, kind };
  // The frame knows nothing of what was typed beside it. Without it the card is saved all the same.
  if ('token' in input && owner !== undefined) {
    const told = await update(api, state, { owner });
    if (told.is === 'saved') return told;
    api.log.warn({ is: told.is }, 'the owner of a saved card was not told to Nexio');
  }
  return { is: 'saved', method: methodOf(entered.reply, state) };
}

async function read(api: Nexio, state: GatewayState): Promise<MethodReading> {
  const path = vaultPath(kindIn(state), state['token'] ?? '');
  const answer = await api.call({ method: 'GET', path, schema: vaultReply });
  if (answer.is === 'ok') return { is: 'there', method: methodOf(answer.value, state) };
  return answer.is === 'refused' && answer.why === 'notFound'
    ? { is: 'gone' }
    : { is: 'unknown', evidence: answer.detail };
}

/** What is changed of a card: fields of a form under the names of `Method.show`, or all that is known of its owner. */
type Change = Readonly<Record<string, string>> | { readonly owner: BillingOwner };

async function update(api: Nexio, state: GatewayState, change: Change): Promise<SetupResult> {
  if (kindIn(state) === 'bank') return invalid('an account in the vault cannot be changed');
  const path = vaultPath('card', state['token'] ?? '');
  const answer = await api.call({ method: 'PUT', path, body: changeBody(change), schema: anything });
  switch (answer.is) {
    case 'ok': {
      const after = await read(api, state);
      if (after.is === 'there') return { is: 'saved', method: after.method };
      return { is: 'unknown', evidence: 'the change was not read back', state };
    }
    case 'declined':
      return { is: 'refused', why: answer.why };
    case 'refused':
      if (answer.why === 'invalid') return refused('400', 'Please provide valid date');
      return notAttempted(answer);
    case 'notSent':
      return notAttempted(answer);
    case 'unclear':
      return { is: 'unknown', evidence: answer.detail, state };
  }
}

function changeBody(change: Change) {
  if (isOwner(change)) {
    const { owner } = change;
    const { name: cardHolderName } = owner;
    return { ...(cardHolderName && { card: { cardHolderName } }), data: { customer: customerOf(owner) } };
  }
  const { expMonth, expYear, name, email, phone, ...billing } = change;
  const expirationMonth = expMonth?.replace(/^0/, '');
  return {
    card: { expirationMonth, expirationYear: expYear, cardHolderName: name },
    data: { customer: customerOf({ ...(email && { email }), ...(phone && { phone }), billing }) },
  };
}

const isOwner = (change: Change): change is { readonly owner: BillingOwner } =>
  typeof change['owner' as keyof Change] === 'object';
