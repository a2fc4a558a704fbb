/** Cards in a store's vault: how they get in, and what can be done with them. The list of them is ours. */
import { destroySecrets, type SecretBytes } from '../kit/secret-bytes.ts';
import type { XmlNode } from '../kit/xml.ts';
import type {
  Decline,
  Gateway,
  GatewayState,
  Method,
  MethodReading,
  OneTimeInput,
  Outcome,
  SetupCompletion,
  SetupResult,
} from '../port/gateway.ts';
import { newGatewayRef, remoteId } from '../port/gateway-ref.ts';
import type { BillingOwner } from '../port/owner.ts';
import { type MonerisSettings, temporaryKeyMs } from './manifest.ts';
import {
  type Answer,
  type Ask,
  addressOf,
  codeResultOf,
  cut,
  inBrief,
  isUnknownKey,
  isVaultDone,
  type KeyedCard,
  maskedNode,
  mismatchedCode,
  type Receipt,
  temporaryNode,
  verdictOf,
  verificationNode,
} from './wire.ts';

// ---- What a vault is sent and answers ----

const holderNodes = (customer: string | undefined, owner: BillingOwner | undefined): XmlNode[] => [
  ['cust_id', cut(customer, 50)],
  ['phone', cut(owner?.phone, 30)],
  ['email', cut(owner?.email, 50)],
];

/** `res_add_token`: a temporary key becomes one that stays. */
const keepNode = (
  card: KeyedCard,
  customer: string | undefined,
  settings: MonerisSettings,
  owner: BillingOwner | undefined,
): XmlNode => [
  'res_add_token',
  [
    ['data_key', card.key],
    ...holderNodes(customer, owner),
    ['expdate', card.expiry],
    ['crypt_type', settings.cryptType],
    addressOf(settings, owner),
    ['cof_info', card.issuer === undefined ? undefined : [['issuer_id', card.issuer]]],
  ],
];

/** `res_update_cc`: changes what is given of a card in the vault. */
const updateNode = (card: KeyedCard, settings: MonerisSettings, owner: BillingOwner): XmlNode => [
  'res_update_cc',
  [
    ['data_key', card.key],
    ...holderNodes(undefined, owner),
    ['expdate', card.expiry],
    ['crypt_type', settings.cryptType],
  ],
];

const removalNode = (key: string): XmlNode => ['res_delete', [['data_key', key]]];
/** `YYMM`, the reverse of what is printed on a card; undefined for what is no month. */
function expiryOf(month: string | undefined, year: string | undefined): string | undefined {
  const [, mm] = /^(0?[1-9]|1[0-2])$/.exec(month ?? '') ?? [];
  const [, yy] = /^(?:20)?(\d\d)$/.exec(year ?? '') ?? [];
  return mm === undefined || yy === undefined ? undefined : `${yy}${mm.padStart(2, '0')}`;
}

const brands: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^35/, 'jcb'],
  [/^(30|36|38|39)/, 'diners'],
  [/^(6011|64|65)/, 'discover'],
  [/^62/, 'unionpay'],
];

/** What a screen may show of a card in the vault, and its last month (YYYY-MM). */
function shownCard({
  stored,
}: Receipt): { readonly show: Readonly<Record<string, string>>; readonly expires?: string } | undefined {
  const masked = stored('masked_pan');
  if (masked === undefined) return undefined;
  const [, yy, mm] = /^(\d\d)(\d\d)$/.exec(stored('expdate') ?? '') ?? [];
  const brand = brands.find(([pattern]) => pattern.test(masked))?.[1];
  const entries = Object.entries({
    type: 'card',
    brand,
    number: masked,
    last4: /\d{4}$/.exec(masked)?.[0],
    expMonth: mm,
    expYear: yy === undefined ? undefined : `20${yy}`,
    phone: stored('phone'),
    email: stored('email'),
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    show: Object.fromEntries(entries),
    ...(yy === undefined || mm === undefined ? {} : { expires: `20${yy}-${mm}` }),
  };
}

// ---- The port ----

type NotAttempted = Extract<Outcome, { is: 'notAttempted' }>;
type Refused = { readonly is: 'refused'; readonly why: Decline };

const invalid = (detail: string): NotAttempted => ({ is: 'notAttempted', why: 'invalid', detail });
const badDate: Refused = {
  is: 'refused',
  why: { class: 'fixInput', code: 'expiry', text: 'Please provide valid date' },
};

const badNumber: Refused = {
  is: 'refused',
  why: { class: 'fixInput', code: 'number', text: 'Please check the card number' },
};

/** A card that was entered, and its code where that goes beside the key. */
interface EnteredCard {
  readonly is: 'card';
  readonly card: KeyedCard;
  readonly code?: SecretBytes;
}

/**
 * A card that was entered, behind a key that lives for minutes: the hosted frame has made it, or a number becomes one.
 * The frame returns no expiry, so that stands beside, as `expirationDate` (YYYY-MM).
 */
export async function temporaryCard(
  ask: Ask,
  settings: MonerisSettings,
  input: OneTimeInput,
): Promise<EnteredCard | Refused | NotAttempted> {
  const [year, month] = ('beside' in input ? (input.beside?.['expirationDate'] ?? '') : '').split('-');
  const expiry = expiryOf(month, year);
  if (expiry === undefined) {
    destroySecrets(input);
    return badDate;
  }
  if ('token' in input) return { is: 'card', card: { key: input.token, expiry } };
  if (!('secrets' in input) || input.secrets.number === undefined) {
    destroySecrets(input);
    return invalid('there is no card');
  }
  const { number, code } = input.secrets;
  const key = await keyOf(ask, temporaryNode(number, expiry, temporaryKeyMs, settings));
  if (typeof key === 'string' && settings.sendsCode && code !== undefined)
    return { is: 'card', card: { key, expiry }, code };
  code?.destroy();
  return typeof key === 'string' ? { is: 'card', card: { key, expiry } } : key;
}

/** Makes a temporary key. Nothing is taken by that, so whatever goes wrong, no payment was attempted. */
async function keyOf(ask: Ask, node: XmlNode): Promise<string | Refused | NotAttempted> {
  let answer: Answer;
  try {
    answer = await ask(node);
  } catch (fault) {
    if (fault instanceof RangeError) return badNumber;
    throw fault;
  }
  if (answer.is === 'fault') return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
  const key = isVaultDone(answer.receipt) ? answer.receipt.of('DataKey') : undefined;
  if (key !== undefined) return key;
  const result = notDone(answer, {});
  if (result.is === 'refused' || result.is === 'notAttempted') return result;
  return { is: 'notAttempted', why: 'unreachable', detail: inBrief(answer.receipt) };
}

/** What a call of the vault came to where it did not work. No money is in question: at worst a card is kept twice. */
function notDone(
  answer: Answer,
  step: GatewayState,
): Extract<SetupResult, { is: 'refused' | 'notAttempted' | 'unknown' }> {
  if (answer.is === 'fault')
    return answer.reach === 'notSent'
      ? { is: 'notAttempted', why: 'unreachable', detail: answer.detail }
      : { is: 'unknown', evidence: answer.detail, state: step };
  const verdict = verdictOf(answer.receipt);
  const detail = inBrief(answer.receipt);
  switch (verdict.is) {
    case 'declined':
      return { is: 'refused', why: verdict.why };
    case 'refused':
      return { is: 'notAttempted', why: verdict.why === 'config' ? 'config' : 'invalid', detail };
    default:
      return { is: 'unknown', evidence: detail, state: step };
  }
}

/** @param name of the card's holder, which the vault has no place for: we keep it */
function methodOf(
  receipt: Receipt,
  { key, issuer }: KeyedCard,
  name: string | undefined,
): Method | undefined {
  const card = shownCard(receipt);
  if (card === undefined) return undefined;
  const named = name === undefined || name === '' ? {} : { name };
  return {
    remote: remoteId(key),
    state: { key, ...(issuer === undefined ? {} : { issuer }), ...named },
    kind: 'card',
    usable: 'now',
    ...card,
    show: { ...card.show, ...named },
  };
}

/** The parts of the port about saved cards. */
export function savedMethods(
  ask: Ask,
  settings: MonerisSettings,
): Required<Pick<Gateway, 'beginSetup' | 'completeSetup' | 'getMethod' | 'updateMethod' | 'removeMethod'>> {
  /** Asks the issuer, whose name of the agreement every later charge carries. */
  const verified = async (
    { card, code }: EnteredCard,
    { ref, step, owner }: SetupCompletion,
  ): Promise<EnteredCard | SetupResult> => {
    if (!settings.verifiesCards) {
      code?.destroy();
      return { is: 'card', card };
    }
    // Another card may be tried in the same setup, and an order id is good for one request.
    const orderId = `${ref}-${newGatewayRef().slice(0, 8)}`;
    const answer = await ask(verificationNode(card, orderId, settings, owner, code));
    if (answer.is === 'fault' || verdictOf(answer.receipt).is !== 'approved') return notDone(answer, step);
    if (codeResultOf(answer.receipt) === 'N') return { is: 'refused', why: mismatchedCode };
    const issuer = answer.receipt.of('IssuerId');
    return { is: 'card', card: issuer === undefined ? card : { ...card, issuer } };
  };

  const keep = async (
    card: KeyedCard,
    { step, owner }: SetupCompletion,
    typed: BillingOwner,
  ): Promise<SetupResult> => {
    const answer = await ask(keepNode(card, step['customer'], settings, { ...owner, ...typed }));
    if (answer.is === 'fault' || !isVaultDone(answer.receipt)) return notDone(answer, step);
    const key = answer.receipt.of('DataKey');
    const { issuer } = card;
    const method =
      key === undefined
        ? undefined
        : methodOf(answer.receipt, { key, ...(issuer === undefined ? {} : { issuer }) }, owner?.name);
    if (method === undefined) return { is: 'unknown', evidence: 'kept without a key or a card', state: step };
    return { is: 'saved', method };
  };

  const getMethod = async ({ key = '', issuer, name }: GatewayState): Promise<MethodReading> => {
    const answer = await ask(maskedNode(key));
    if (answer.is === 'fault') return { is: 'unknown', evidence: answer.detail };
    if (isUnknownKey(answer.receipt)) return { is: 'gone' };
    const card = { key, ...(issuer === undefined ? {} : { issuer }) };
    const method = isVaultDone(answer.receipt) ? methodOf(answer.receipt, card, name) : undefined;
    return method === undefined
      ? { is: 'unknown', evidence: inBrief(answer.receipt) }
      : { is: 'there', method };
  };

  return {
    beginSetup: ({ kind, person: { customerId } }) =>
      Promise.resolve(
        kind === 'card'
          ? {
              payer: { customer: customerId },
              result: {
                is: 'continue',
                action: { do: 'browser', config: {} },
                state: { customer: customerId },
              },
            }
          : { payer: undefined, result: invalid('Moneris keeps cards only') },
      ),

    async completeSetup(request) {
      const { input, step } = request;
      // Nothing at Moneris says how a setup stands: a card whose key was lost is entered again.
      if ('fields' in input) return { is: 'unknown', evidence: 'a setup cannot be looked up', state: step };
      const made = await temporaryCard(ask, settings, input);
      if (made.is !== 'card') return made;
      const checked = await verified(made, request);
      if (checked.is !== 'card') return checked;
      const { phone, email } = ('beside' in input ? input.beside : undefined) ?? {};
      const typed = { ...(phone === undefined ? {} : { phone }), ...(email === undefined ? {} : { email }) };
      return keep(checked.card, request, typed);
    },

    getMethod,

    async updateMethod(_ref, state, change) {
      const known = await getMethod(state);
      if (known.is === 'unknown') return known;
      if (known.is === 'gone') return invalid('the card is no longer in the vault');
      const { show } = known.method;
      const expiry = expiryOf(change['expMonth'] ?? show['expMonth'], change['expYear'] ?? show['expYear']);
      if (expiry === undefined) return badDate;
      const { phone, email } = change;
      const owner = { ...(phone === undefined ? {} : { phone }), ...(email === undefined ? {} : { email }) };
      const answer = await ask(updateNode({ key: known.method.remote, expiry }, settings, owner));
      if (answer.is === 'fault' || !isVaultDone(answer.receipt)) return notDone(answer, state);
      const after = await getMethod(state);
      return after.is === 'there'
        ? { is: 'saved', method: after.method }
        : { is: 'unknown', evidence: 'the change was not read back', state };
    },

    async removeMethod(state) {
      const answer = await ask(removalNode(state['key'] ?? ''));
      if (answer.is === 'receipt' && (isVaultDone(answer.receipt) || isUnknownKey(answer.receipt)))
        return 'gone';
      // The answer may be lost, and the card gone all the same.
      return (await getMethod(state)).is === 'gone' ? 'gone' : 'unknown';
    },
  };
}
