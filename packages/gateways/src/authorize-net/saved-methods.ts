/** Customer profiles: a customer's saved cards and accounts, ten at the most. */
import type * as z from 'zod/mini';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type {
  Decline,
  GatewayState,
  Method,
  MethodKind,
  MethodReading,
  Outcome,
  Person,
  RemoteId,
  SetupCompletion,
  SetupRequest,
  SetupResult,
  SetupStarted,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { type Answer, ask, askOk, type Deps } from './client.ts';
import {
  createdReply,
  declineOf,
  envelope,
  faultOf,
  oneMethodReply,
  outcomeOfCode,
  type PaymentProfileReply,
  profileReply,
} from './replies.ts';
import {
  addPaymentProfileRequest,
  billTo,
  createProfileRequest,
  customerKey,
  paymentBlock,
  type WireBody,
} from './wire.ts';

const invalid = (detail: string): Extract<Outcome, { is: 'notAttempted' }> => ({
  is: 'notAttempted',
  why: 'invalid',
  detail,
});
export const refused = (code: string, kind: Decline['class'], text: string): SetupResult => ({
  is: 'refused',
  why: { class: kind, code, text },
});

type Fault = Exclude<Answer<unknown>, { is: 'answer' }>;

/** No money moves here: a fault of the network leaves a setup open. */
export function setupFault(answer: Fault, state?: GatewayState): SetupResult {
  if (answer.is === 'fault')
    return answer.reach === 'notSent'
      ? { is: 'notAttempted', why: 'unreachable', detail: answer.detail }
      : { is: 'unknown', evidence: answer.detail, ...(state === undefined ? {} : { state }) };
  return setupRefusal(answer.code, answer.detail, state);
}

export function setupRefusal(code: string, detail: string, state?: GatewayState): SetupResult {
  if (code === 'E00042')
    return refused(code, 'otherMethod', 'You can save at most 10 payment methods. Please remove one first');
  if (['E00013', 'E00014', 'E00015', 'E00016', 'E00041'].includes(code))
    return refused(code, 'fixInput', 'Please check what you have entered');
  const outcome = outcomeOfCode(code, detail, true);
  switch (outcome.is) {
    case 'notAttempted':
      return outcome;
    case 'declined':
      return { is: 'refused', why: outcome.why };
    default:
      return { is: 'unknown', evidence: detail, ...(state === undefined ? {} : { state }) };
  }
}

// ---- The customer ----

type ProfileReply = z.output<typeof profileReply>;
const readProfile = (deps: Deps, by: WireBody): Promise<Answer<ProfileReply>> =>
  askOk(deps, { method: 'getCustomerProfile', body: { ...by, unmaskExpirationDate: true } }, profileReply);

/** Nobody has this record. */
export const isNone = (answer: Answer<unknown>): boolean =>
  answer.is === 'refused' && answer.code === 'E00040';

/** The customer's profile: the one we know, the one that carries our key of them, or a new one. */
async function ensureProfile(
  deps: Deps,
  person: Person,
  known: string | undefined,
): Promise<{ readonly profile: ProfileReply['profile'] } | { readonly failed: SetupResult }> {
  const key = customerKey(person.customerId);
  for (const by of [
    ...(known === undefined ? [] : [{ customerProfileId: known }]),
    { merchantCustomerId: key },
  ]) {
    const read = await readProfile(deps, by);
    if (read.is === 'answer') return read.value;
    if (!isNone(read)) return { failed: setupFault(read) };
  }
  const body = createProfileRequest(person.customerId, person.email);
  const created = await ask(deps, { method: 'createCustomerProfile', body }, createdReply);
  if (created.is !== 'answer') return { failed: setupFault(created) };
  const { code, detail } = faultOf(created.value);
  const isOk = created.value.messages.resultCode === 'Ok';
  // Made meanwhile: the text alone names it.
  const id = isOk
    ? created.value.customerProfileId
    : /\bID (\d+)\b/.exec(created.value.messages.message[0]?.text ?? '')?.[1];
  if ((!isOk && code !== 'E00039') || !id) return { failed: setupRefusal(code, detail) };
  const read = await readProfile(deps, { customerProfileId: id });
  if (read.is !== 'answer') return { failed: setupFault(read) };
  return read.value.profile.merchantCustomerId === key
    ? read.value
    : { failed: invalid('a profile that is named as ours belongs to another customer') };
}

/** {@link Gateway.beginSetup} of Authorize.Net: the profile on first use; what is typed goes to Accept.js. */
export async function beginSetup(deps: Deps, request: SetupRequest): Promise<SetupStarted> {
  const found = await ensureProfile(deps, request.person, request.payer?.['profile']);
  if ('failed' in found) return { payer: request.payer, result: found.failed };
  const { customerProfileId: profile, paymentProfiles = [] } = found.profile;
  // By what there was before a new one is known, where its answer is lost.
  const before = paymentProfiles.map(({ customerPaymentProfileId }) => customerPaymentProfileId).join(' ');
  return {
    payer: { profile },
    payerRemote: remoteId(profile),
    result: {
      is: 'continue',
      action: { do: 'browser', config: {} },
      state: { kind: request.kind, before },
    },
  };
}

// ---- Adding ----

/** {@link Gateway.completeSetup} of Authorize.Net. With empty fields it looks what has been made. */
export async function addMethod(deps: Deps, request: SetupCompletion): Promise<SetupResult> {
  const { input, step, payer, owner } = request;
  const { profile } = payer;
  const kind: MethodKind = step['kind'] === 'bank' ? 'bank' : 'card';
  if (profile === undefined) {
    destroySecrets(input);
    return invalid('there is no profile');
  }
  if ('fields' in input) return lookForNew(deps, profile, kind, step);
  if (kind === 'bank' && request.consent === undefined) {
    destroySecrets(input);
    return invalid('the holder of the account has not agreed');
  }
  const payment = paymentBlock(input, kind, owner);
  if (payment === undefined) {
    destroySecrets(input);
    return invalid(`what was entered is no ${kind}`);
  }
  // Numbers of accounts are checked in any mode; their bank is not asked.
  const mode = kind === 'card' ? deps.config.validation : 'testMode';
  const body = addPaymentProfileRequest(profile, { billTo: billTo(owner), payment }, mode);
  const answer = await ask(deps, { method: 'createCustomerPaymentProfile', body }, createdReply);
  if (answer.is !== 'answer') return setupFault(answer, step);
  const { value } = answer;
  const { code, detail } = faultOf(value);
  const id = value.customerPaymentProfileId;
  if (value.messages.resultCode === 'Ok')
    return id ? readAdded(deps, profile, id, kind, step) : lookForNew(deps, profile, kind, step);
  if (code === 'E00039' && id) return known(deps, profile, id, kind);
  if (code === 'E00027') return validationRefused(value.validationDirectResponse ?? '', kind);
  return setupRefusal(code, detail, step);
}

/** The answer of the bank that was asked: values with commas between, the third of which is the reason. */
export function validationRefused(direct: string, kind: MethodKind): SetupResult {
  const reason = direct.split(/[,|]/)[2]?.replaceAll('"', '') ?? '';
  // Asked a moment ago, whatever it said: nothing of that question is kept.
  if (reason === '11') return refused(reason, 'retryLater', 'Please try again in a few minutes');
  if (reason === '289')
    return { is: 'notAttempted', why: 'config', detail: 'the processor takes no zero amounts: use testMode' };
  return { is: 'refused', why: declineOf(reason === '' ? '2' : reason, kind) };
}

async function readAdded(
  deps: Deps,
  profile: string,
  id: string,
  kind: MethodKind,
  step: GatewayState,
): Promise<SetupResult> {
  const read = await readSaved(deps, { profile, payment: id });
  if (read.is === 'unknown') return { is: 'unknown', evidence: read.evidence, state: step };
  if (read.is === 'gone') return invalid('it was removed at once');
  if (read.method.kind === kind) return { is: 'saved', method: read.method };
  // A token does not say of what it is.
  await removeMethod(deps, read.method.state);
  return invalid(`the token is of a ${read.method.kind}`);
}

/**
 * It is saved already, which is no fault. It is not changed: a payment that is looked for by its contents would no longer be
 * found by them. So another expiry is entered by an edit.
 */
async function known(deps: Deps, profile: string, id: string, kind: MethodKind): Promise<SetupResult> {
  const read = await readSaved(deps, { profile, payment: id });
  if (read.is !== 'there') return { is: 'unknown', evidence: 'a duplicate that could not be read' };
  const { method } = read;
  if (method.kind !== kind) return invalid(`the token is of a ${method.kind}`);
  const month = deps.clock.now().toISOString().slice(0, 7);
  return method.expires !== undefined && method.expires < month
    ? refused('E00039', 'fixInput', 'This card is saved already, with an older expiry date. Please edit it')
    : { is: 'saved', method };
}

/** What there is now that was not there before. */
async function lookForNew(
  deps: Deps,
  profile: string,
  kind: MethodKind,
  step: GatewayState,
): Promise<SetupResult> {
  const read = await readProfile(deps, { customerProfileId: profile });
  if (read.is !== 'answer') return setupFault(read, step);
  const before = (step['before'] ?? '').split(' ');
  const added = (read.value.profile.paymentProfiles ?? [])
    .filter(({ customerPaymentProfileId }) => !before.includes(customerPaymentProfileId))
    .map((one) => methodFromWire(one, profile));
  const [method] = added.filter((one) => one.kind === kind);
  return method === undefined
    ? { is: 'continue', action: { do: 'browser', config: {} }, state: step }
    : { is: 'saved', method };
}

// ---- Reading ----

export const textIn = (address: PaymentProfileReply['billTo'], name: string): string => {
  const value = address?.[name];
  return typeof value === 'string' ? value : '';
};

export function methodFromWire(reply: PaymentProfileReply, profile: string): Method {
  const { customerPaymentProfileId: id, billTo: address } = reply;
  const { creditCard: card, bankAccount: bank } = reply.payment;
  const kind: MethodKind = bank ? 'bank' : 'card';
  const expires = /^\d{4}-\d{2}$/.exec(card?.expirationDate ?? '')?.[0];
  const [expYear, expMonth] = expires?.split('-') ?? [];
  const holder = [textIn(address, 'firstName'), textIn(address, 'lastName')].filter(Boolean).join(' ');
  const show = {
    type: bank ? 'ach' : 'card',
    brand: card?.cardType,
    last4: (bank?.accountNumber ?? card?.cardNumber ?? '').slice(-4),
    name: bank?.nameOnAccount || holder,
    expMonth,
    expYear,
    routing: bank?.routingNumber,
    bankName: bank?.bankName,
    accountType: bank?.accountType,
    company: textIn(address, 'company'),
    phone: textIn(address, 'phoneNumber'),
    line1: textIn(address, 'address'),
    city: textIn(address, 'city'),
    state: textIn(address, 'state'),
    postalCode: textIn(address, 'zip'),
    country: textIn(address, 'country'),
  };
  return {
    remote: remoteId(id),
    state: { profile, payment: id, kind },
    kind,
    show: Object.fromEntries(Object.entries(show).flatMap(([key, value]) => (value ? [[key, value]] : []))),
    ...(expires === undefined ? {} : { expires }),
    usable: 'now',
  };
}

export const readOne = (
  deps: Deps,
  { profile = '', payment = '' }: GatewayState,
): Promise<Answer<z.output<typeof oneMethodReply>>> =>
  askOk(
    deps,
    {
      method: 'getCustomerPaymentProfile',
      body: { customerProfileId: profile, customerPaymentProfileId: payment, unmaskExpirationDate: true },
    },
    oneMethodReply,
  );

/** {@link Gateway.getMethod} of Authorize.Net. */
export async function readSaved(deps: Deps, method: GatewayState): Promise<MethodReading> {
  const answer = await readOne(deps, method);
  if (answer.is === 'answer')
    return { is: 'there', method: methodFromWire(answer.value.paymentProfile, method['profile'] ?? '') };
  return isNone(answer) ? { is: 'gone' } : { is: 'unknown', evidence: answer.detail };
}

/** {@link Gateway.listMethods} of Authorize.Net. @throws {Error} when the list cannot be read */
export async function* listMethods(deps: Deps, { profile }: GatewayState): AsyncGenerator<Method> {
  if (profile === undefined) return;
  const answer = await readProfile(deps, { customerProfileId: profile });
  if (isNone(answer)) return;
  if (answer.is !== 'answer') throw new Error(`the saved methods could not be read: ${answer.detail}`);
  for (const reply of answer.value.profile.paymentProfiles ?? []) yield methodFromWire(reply, profile);
}

/** {@link Gateway.getDefaultMethod} of Authorize.Net. */
export async function defaultMethod(
  deps: Deps,
  { profile }: GatewayState,
): Promise<RemoteId | null | 'unknown'> {
  if (profile === undefined) return null;
  const answer = await readProfile(deps, { customerProfileId: profile });
  if (answer.is !== 'answer') return isNone(answer) ? null : 'unknown';
  const found = (answer.value.profile.paymentProfiles ?? []).find(
    ({ defaultPaymentProfile: is }) => is === true || is === 'true',
  );
  return found === undefined ? null : remoteId(found.customerPaymentProfileId);
}

/** {@link Gateway.removeMethod} of Authorize.Net. */
export async function removeMethod(
  deps: Deps,
  { profile, payment }: GatewayState,
): Promise<'gone' | 'inUse' | 'unknown'> {
  if (profile === undefined || payment === undefined) return 'gone';
  const body = { customerProfileId: profile, customerPaymentProfileId: payment };
  const answer = await askOk(deps, { method: 'deleteCustomerPaymentProfile', body }, envelope);
  if (answer.is === 'answer' || isNone(answer)) return 'gone';
  return answer.is === 'refused' && answer.code === 'E00105' ? 'inUse' : 'unknown';
}
