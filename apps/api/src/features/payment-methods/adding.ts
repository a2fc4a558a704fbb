import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import type { OpenSetup, SetupAnswer, SetupQuestion } from '@counterfoil/contract/paying/payment-methods.ts';
import type { BillingOwner, GatewayState, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import { withTimeout } from '../../with-timeout.ts';
import { type Brand, brandUrl } from '../brand/service.ts';
import { type Agreeing, keepConsent } from '../consents/service.ts';
import {
  type Entered,
  inputOf,
  isEntered,
  namesOf,
  prepareEntry,
  type TakenEntry,
  takeEntry,
} from '../entries/service.ts';
import { PaymentTerms } from '../payments/service.ts';
import type { MethodDeps } from './method-row.ts';
import { answerSetup, presentSetup } from './present.ts';
import { findPerson } from './queries.ts';
import { type Acting, methodForCharge, methodOf } from './service.ts';
import { tellDefault } from './setups/follow.ts';
import { settleSetup } from './setups/settle-setup.ts';
import {
  finish,
  lookUpSetup,
  type NewSetup,
  payerOf,
  SetupInTheWay,
  sendSetup,
  writeSetup,
} from './setups/setup.ts';
import {
  actionOf,
  findOpenSetup,
  findSetup,
  findSetupByKey,
  findSetupOf,
  type SetupPerson,
  type SetupRow,
} from './setups/setup-row.ts';

export interface AddingDeps extends MethodDeps {
  readonly publicUrl: URL;
}

/** Who adds a method, for whom, at which gateway, under which brand. */
export interface Adding extends Acting, Agreeing {
  readonly brand: Brand;
}

/** The longest wait for the gateway, milliseconds; the call goes on, and the page asks how it stands. */
const ANSWER_WITHIN_MS = 15_000;
const CARD = 'card';

export interface NewMethod {
  readonly entered: Entered;
  /** 'card', or the gateway's name of an account's type. */
  readonly scheme: string;
  readonly email?: string | undefined;
  /** What was typed beside it. */
  readonly owner?: BillingOwner;
  readonly clientKey: string | null;
  /** The holder of a bank account has agreed to the words of the details; of a card nothing is asked. */
  readonly isAgreed?: boolean | undefined;
  /** Of the words that were shown, where the caller says so. */
  readonly mandateVersion?: string | undefined;
}

/**
 * Saves what the provider's script has made. The same token again, or the same key, answers the setup there is.
 * @throws {AppError} for a token of another provider, a kind that is not offered, a mandate that was not agreed to, and
 *   when the gateway refuses
 */
export async function addMethod(deps: AddingDeps, adding: Adding, wanted: NewMethod): Promise<SetupAnswer> {
  const { scope, account } = adding;
  const { saved } = account.module.manifest;
  if (saved === undefined) throw new AppError('paymentMethod.notOffered');
  const { entered } = wanted;
  const terms = new PaymentTerms(adding.brand, account);
  const unfit = (message: string) =>
    new AppError('request.invalid', { fields: [{ path: 'token', message }] });
  if (entered.token !== '' && !terms.takesToken(entered.token)) throw unfit('is no token of the provider');
  const kind = kindOf(adding, wanted.scheme);
  if (!isEntered(entered) || !terms.takesEntered(kind, entered)) throw unfit('missing');
  const agreement = agreementOf(adding, wanted);
  const requestDigest = deps.secrets.digest(
    `${wanted.scheme} ${namesOf(entered).join(' ')}`,
    `setup:${account.id}`,
  );
  const before = await setupBefore(deps, adding, wanted.clientKey, requestDigest);
  // A token is used once; a number that was saved may have been removed since, and is saved again.
  const isSavedAgain =
    before?.by === 'digest' && before.row.state === 'saved' && entered.numbers !== undefined;
  if (before !== undefined && !isSavedAgain) return answer(deps, adding, before.row);

  const base = await newSetup(deps, adding, { kind, scheme: wanted.scheme, email: wanted.email });
  let taken: TakenEntry | undefined;
  const { entry } = entered;
  const take = async (tx: Tx) => {
    taken =
      entry &&
      (await takeEntry(tx, { secrets: deps.secrets, now: deps.clock.now() }, entry, {
        customerId: scope.customerId,
        account,
        kind,
        scheme: wanted.scheme,
        use: { purpose: 'save' },
      }));
  };
  const row = await writeSetup(deps, scope, account, {
    ...base,
    by: 'token',
    take,
    clientKey: wanted.clientKey,
    requestDigest,
    savedBefore: before?.row.id,
    ...(agreement === undefined
      ? {}
      : { consent: (tx) => keepConsent(tx, adding, agreement, deps.clock.now()) }),
  }).catch((error: unknown) => {
    if (error instanceof SetupInTheWay || isUsed(error)) return error;
    throw error;
  });
  if (row instanceof Error) {
    // Another request was faster: both get its setup.
    const other = await setupBefore(deps, adding, wanted.clientKey, requestDigest);
    if (other === undefined) throw isUsed(row) ? row : new AppError('server.unavailable');
    return answer(deps, adding, other.row);
  }
  const owner = { ...taken?.owner, ...wanted.owner };
  const sent = sendSetup(deps, account, row, inputOf(entered, taken), owner);
  return answer(deps, adding, await withTimeout(ANSWER_WITHIN_MS, sent, row));
}

const isUsed = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'entry.used';

/** The kind of method a scheme is. @throws {AppError} when this brand or gateway does not offer it */
function kindOf({ brand, account }: Adding, scheme: string): MethodKind {
  const terms = new PaymentTerms(brand, account);
  if (scheme === CARD && terms.takesKind('card')) return 'card';
  if (scheme === terms.debit()?.scheme) return 'bank';
  throw new AppError('paymentMethod.notOffered');
}

/** What the account holder has agreed to: the words shown by the details, and only the newest ones. */
function agreementOf(adding: Adding, wanted: NewMethod) {
  const { scheme, mandateVersion } = wanted;
  const terms = new PaymentTerms(adding.brand, adding.account);
  const debit = terms.debit();
  if (scheme === CARD || debit?.mandate === undefined) return undefined;
  const { version } = debit.mandate;
  const text = terms.mandate(debit) ?? '';
  if (adding.session.actor !== null) throw new AppError('consent.inPerson');
  if (!wanted.isAgreed) throw new AppError('paymentMethod.agreementNeeded');
  if (mandateVersion !== undefined && mandateVersion !== version)
    throw new AppError('paymentMethod.otherProvider');
  return { purpose: 'mandate' as const, text, version };
}

/** The setup of the same request, and by what it is known as the same. @throws {AppError} for a key of another request */
async function setupBefore(
  deps: AddingDeps,
  { scope }: Adding,
  clientKey: string | null,
  requestDigest: Buffer,
): Promise<{ readonly row: SetupRow; readonly by: 'key' | 'digest' } | undefined> {
  const sameKey = clientKey === null ? undefined : await findSetupByKey(deps.db, scope, clientKey);
  if (sameKey === undefined) {
    const same = await findSetupOf(deps.db, scope, requestDigest);
    return same && { row: same, by: 'digest' };
  }
  if (sameKey.request_digest?.equals(requestDigest) !== true) throw new AppError('payment.keyReused');
  return { row: sameKey, by: 'key' };
}

async function newSetup(
  deps: AddingDeps,
  adding: Adding,
  what: { readonly kind: MethodKind; readonly scheme: string; readonly email?: string | undefined },
): Promise<Pick<NewSetup, 'kind' | 'scheme' | 'person' | 'returnTo'>> {
  const { scope, session, brand } = adding;
  const customer = await findPerson(deps.db, scope);
  const person: SetupPerson = {
    name: customer.label,
    email: what.email || customer.email || session.email,
    resellerId: scope.resellerId,
    userId: session.userId,
    userEmail: session.email,
    actor: session.actor,
  };
  const returnTo = (id: string) => brandUrl(brand, deps.publicUrl, `/payment-types?req_uid=${id}`);
  return { kind: what.kind, scheme: what.scheme, person, returnTo };
}

async function answer(deps: AddingDeps, adding: Adding, row: SetupRow): Promise<SetupAnswer> {
  const shown = row.state === 'saved' || row.state === 'underWay';
  const source =
    shown && row.payment_method_id !== null
      ? await methodOf(deps, adding.scope, adding.account, row.payment_method_id).catch((error: unknown) => {
          // Removed since, or of a gateway that is not in use any more.
          if (error instanceof AppError) return undefined;
          throw error;
        })
      : undefined;
  if (row.state === 'saved') void tellDefault(deps, adding.account, adding.scope.customerId);
  return answerSetup(row, actionOf(row, deps.secrets), source);
}

interface PrepareToSave {
  readonly scheme?: string | undefined;
  /** One that is typed again. */
  readonly method?: GatewayState;
  /** Where its owner is written to; else the customer's. */
  readonly email?: string | undefined;
}

/**
 * Makes at the gateway what the form of a new method needs before anything is typed.
 * @throws {AppError} when this kind is not offered, or the gateway cannot be reached
 */
export async function prepareToSave(
  deps: AddingDeps,
  adding: Adding,
  { scheme = CARD, method, email }: PrepareToSave,
): Promise<PreparedEntry> {
  const { scope, account, brand } = adding;
  const kind = kindOf(adding, scheme);
  const { person } = await newSetup(deps, adding, { kind, scheme, email });
  return prepareEntry(deps, {
    scope,
    account,
    use: { purpose: 'save' },
    kind,
    ...(scheme !== CARD && { scheme }),
    method,
    payer: await payerOf(deps, scope, account),
    person: {
      customerId: scope.customerId,
      resellerId: String(scope.resellerId),
      name: person.name,
      email: person.email,
    },
    returnTo: brandUrl(brand, deps.publicUrl, '/payment-types'),
    callbackUrl: (id) => brandUrl(brand, deps.publicUrl, `/v1/entries/${id}/callback`),
  });
}

/**
 * The same for a saved method that is typed again: what is entered takes its place at the gateway.
 * @throws {AppError} also for a method of somebody else, or one that cannot be charged
 */
export async function prepareAgain(
  deps: AddingDeps,
  adding: Adding,
  id: string,
  email: string | undefined,
): Promise<PreparedEntry> {
  const { scope, account, brand } = adding;
  const method = await methodForCharge(deps, scope, account, id);
  if (method === undefined) throw new AppError('paymentMethod.notFound');
  const scheme = method.kind === 'card' ? CARD : (new PaymentTerms(brand, account).debit()?.scheme ?? '');
  return prepareToSave(deps, adding, { scheme, method: method.saved, email });
}

const waitsForBrowser = ({ state }: SetupRow): boolean => state === 'browser' || state === 'redirect';

/**
 * An open set-up for the provider's script or page; the one that is open is used again.
 * @param clientKey by which the caller finds it again
 * @throws {AppError} when this kind is not offered, or the gateway cannot begin
 */
export async function openSetup(
  deps: AddingDeps,
  adding: Adding,
  scheme: string,
  clientKey: string | null = null,
): Promise<OpenSetup> {
  const { scope, account } = adding;
  const kind = kindOf(adding, scheme);
  const present = (row: SetupRow) => presentSetup(row, actionOf(row, deps.secrets));
  const open = await findOpenSetup(deps.db, scope, account.id, scheme);
  if (open !== undefined && waitsForBrowser(open)) return present(open);
  const base = await newSetup(deps, adding, { kind, scheme });
  const wanted: NewSetup = { ...base, by: 'browser', clientKey, requestDigest: null };
  const row = await writeSetup(deps, scope, account, wanted).catch((error: unknown) => {
    if (error instanceof SetupInTheWay) return undefined;
    throw error;
  });
  if (row !== undefined)
    return present(await withTimeout(ANSWER_WITHIN_MS, sendSetup(deps, account, row, undefined), row));
  const other = await findOpenSetup(deps.db, scope, account.id, scheme);
  // Another page started one at this moment.
  if (other === undefined || !waitsForBrowser(other)) throw new AppError('server.unavailable');
  return present(other);
}

/**
 * The browser is back, or a waiting page asks: what has become of the setup? What the small deposit was is passed on.
 * @throws {AppError} for another customer's setup, and when nothing was saved
 */
export async function resultOf(
  deps: AddingDeps,
  adding: Adding,
  { reqUid, descriptorCode, amounts }: SetupQuestion,
): Promise<SetupAnswer> {
  const row = await findSetup(deps.db, adding.scope, reqUid);
  if (row === undefined || row.gateway_account_id !== adding.account.id)
    throw new AppError('paymentMethod.noSetUp');
  const fields = {
    ...(descriptorCode ? { descriptorCode } : {}),
    ...(amounts ? { amounts: amounts.trim() } : {}),
  };
  const work =
    Object.keys(fields).length > 0 && row.state === 'underWay'
      ? verify(deps, adding, row, fields)
      : row.is_open && row.state !== 'sending'
        ? lookUpSetup(deps, row, 'return')
        : Promise.resolve(row);
  return answer(deps, adding, await withTimeout(ANSWER_WITHIN_MS, work, row));
}

/** A wrong proof is an error, and the account stays as it is; only the gateway ends the tries. */
async function verify(
  deps: AddingDeps,
  adding: Adding,
  row: SetupRow,
  fields: Readonly<Record<string, string>>,
): Promise<SetupRow> {
  const observed = await finish(deps, adding.account, row, { fields });
  if (observed.is !== 'refused') return settleSetup(deps, row, observed, 'return');
  await lookUpSetup(deps, row, 'return');
  throw new AppError('paymentMethod.declined', { text: observed.why.text });
}
