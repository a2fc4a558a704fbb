/** The steps of a case: through the port, remembering all it makes. A sandbox and a provider's test account both supply it. */
import { currencyExponent, type Money, money, parseCurrency } from '@counterfoil/domain/money/money.ts';
import { redact } from '../kit/redact.ts';
import type {
  CancelResult,
  Capabilities,
  Charge,
  Consent,
  EntryPrepared,
  EntryRequest,
  Gateway,
  GatewayRef,
  GatewayState,
  Method,
  OneTimeInput,
  Outcome,
  PayOnce,
  Refund,
  SetupCompletion,
  SetupResult,
} from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { CaseFailed, CaseNotAvailable, ensure } from './case-end.ts';
import type { CasesData, TestAccount, TestMethod } from './data.ts';
import type { SandboxControl } from './sandbox-control.ts';

export type Paid = Extract<Outcome, { is: 'succeeded' }>;

/** What the cases of one run share. */
export interface CaseRun {
  readonly can: Capabilities;
  readonly currency: string;
  readonly data: CasesData;
  readonly resellerId: string;
  /** Where a payer would come back to. */
  readonly returnTo: string;
  readonly now: () => Date;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Absent at the provider. */
  readonly control?: SandboxControl;
  /** The one payer of all cases, once the gateway has one. */
  payer?: { readonly state: GatewayState; readonly remote: string };
}

/** A charge that was sent, with what is known of it. */
export interface MadeCharge {
  readonly charge: Charge;
  outcome?: Outcome | CancelResult;
  state?: GatewayState;
  /** What was stored before an answer came: all that a crash leaves of it. */
  kept?: GatewayState;
  /** Minor units that went back, or may have. */
  refunded: bigint;
}

/** What is unlike the account as it is. */
export interface OpenOver {
  readonly settings?: TestAccount['settings'];
  /** Longest wait for one answer, milliseconds. */
  readonly timeoutMs?: number;
  /** At an address where nothing listens. */
  readonly isNowhere?: true;
}

const kindOf = ({ kind, scheme }: TestMethod) => (scheme === undefined ? { kind } : { kind, scheme });

/** Who owns the method, where the test service is told. */
const ownedBy = ({ owner }: TestMethod) => (owner === undefined ? {} : { owner: owner() });

const inList = (amounts: readonly bigint[]): string =>
  amounts.length === 0 ? 'nothing' : amounts.join(' and ');

/** Who the payments of a verification are labelled with. */
const subject = 'counterfoil-verify';

/** A method on its way to being saved. */
interface Saving {
  readonly setup: SetupResult;
  readonly payer: GatewayState;
  readonly ref: GatewayRef;
  /** Goes on where a person has acted. */
  readonly go: (input: SetupCompletion['input']) => Promise<SetupResult>;
}

export class CaseSession {
  readonly gateway: Gateway;
  readonly account: TestAccount;
  readonly run: CaseRun;
  readonly charges: MadeCharge[] = [];
  readonly methods: Method[] = [];
  /** Setups that wait for their owner. */
  waiting = 0;
  readonly ids = new Set<string>();
  readonly #kept = new Map<TestMethod, { readonly method: Method; readonly payer: GatewayState }>();
  readonly #caseId: string;
  readonly #open: (over: OpenOver) => Gateway;

  constructor(caseId: string, run: CaseRun, account: TestAccount, open: (over: OpenOver) => Gateway) {
    this.#caseId = caseId;
    this.run = run;
    this.account = account;
    this.#open = open;
    this.gateway = open({});
  }

  /** The account with other settings, over the same watched connection. */
  open(over: OpenOver): Gateway {
    return this.#open(over);
  }

  /** The sandbox. @throws {CaseNotAvailable} at the provider */
  get control(): SandboxControl {
    const { control } = this.run;
    if (control === undefined) throw new CaseNotAvailable('only a sandbox can show it');
    return control;
  }

  /**
   * What was really taken under the charge's reference, by the sandbox's journal or read from the provider past the adapter.
   * Where neither can tell, what the port says has to do.
   * @throws {CaseFailed} unless it is as expected, minor units, one entry a charge
   */
  async expectTaken({ ref }: Charge, expected: readonly bigint[]): Promise<void> {
    const { control, data } = this.run;
    const taken = await (control?.taken(ref) ?? data.readBack?.taken(ref, this.account));
    if (taken === undefined) return;
    ensure(
      `${taken}` === `${expected}`,
      `${inList(expected)} should have been taken, and ${inList(taken)} was`,
    );
  }

  /** The same for a refund; in a sandbox only. @throws {CaseFailed} */
  async expectRefunded({ ref }: Refund, expected: readonly bigint[]): Promise<void> {
    const refunded = await this.run.control?.refunded(ref);
    if (refunded === undefined) return;
    ensure(
      `${refunded}` === `${expected}`,
      `${inList(expected)} should have been refunded, and ${inList(refunded)} was`,
    );
  }

  /** The usual amount, or that of the test method. Five of most currencies. */
  amountOf(method: Pick<TestMethod, 'currency' | 'minor'>): Money {
    const currency = method.currency ?? this.run.currency;
    const usual = 5n * 10n ** BigInt(currencyExponent(parseCurrency(currency)));
    return money(method.minor ?? this.run.data.amounts?.[currency] ?? usual, currency);
  }

  /** A charge by the payer, with a one-time method, or a saved one where nothing else pays; `over` changes it. */
  async charge(method: TestMethod, over: Partial<Charge> = {}): Promise<Charge> {
    const amount = this.amountOf(method);
    const ref = newGatewayRef();
    const keeps = over.source === undefined && this.run.can.oneOff === 'no';
    const kept = keeps ? await this.#keep(method) : {};
    const sentAt = this.run.now();
    return {
      ref,
      sentAt,
      lastSentAt: sentAt,
      amount,
      fee: money(0n, amount.currency),
      initiator: 'customer',
      source: over.source ?? kept.source ?? (await this.enter(method, amount)),
      labels: {
        // Some gateways take two equal payments within minutes for one.
        invoice: `verify-${ref.slice(-8)}`,
        description: `Counterfoil gateway verification: ${this.#caseId}`,
        customer: subject,
        session: subject,
      },
      payer: kept.payer ?? {},
      returnTo: this.run.returnTo,
      ...(over.source === undefined ? ownedBy(method) : {}),
      ...over,
    };
  }

  /** The method, saved once in this case. @throws {CaseFailed} */
  async #keep(method: TestMethod): Promise<Partial<Pick<Charge, 'source' | 'payer'>>> {
    const known = this.#kept.get(method) ?? (await this.saved(method));
    this.#kept.set(method, known);
    return { source: { saved: known.method.state }, payer: known.payer };
  }

  /** Enters a method that pays once, into a prepared entry where the gateway wants one. @throws {CaseFailed} */
  async enter(method: TestMethod, amount: Money): Promise<PayOnce> {
    const prepared = await this.#prepare({ purpose: 'payOnce', ...kindOf(method), amount });
    const input = await this.#once(method, prepared);
    return prepared === undefined ? input : { ...input, entry: prepared.state };
  }

  async #once(
    method: TestMethod,
    prepared: Extract<EntryPrepared, { is: 'ready' }> | undefined,
  ): Promise<OneTimeInput> {
    const entered = await method.once(this.account, prepared?.action);
    if (!('posted' in entered)) return entered;
    const read = prepared && this.gateway.readCallback?.(prepared.state, entered.posted);
    if (read?.is === 'entered') return read.input;
    throw new CaseFailed(`what the page posted is ${read?.is ?? 'not read'}`);
  }

  async #prepare(
    about: Pick<EntryRequest, 'purpose' | 'kind' | 'scheme' | 'amount' | 'payer' | 'person'>,
  ): Promise<Extract<EntryPrepared, { is: 'ready' }> | undefined> {
    const { returnTo } = this.run;
    const prepared = await this.gateway.prepareEntry?.({
      ...about,
      ref: newGatewayRef(),
      returnTo,
      callbackUrl: `${returnTo}entry`,
    });
    if (prepared === undefined || prepared.is === 'ready') return prepared;
    throw new CaseFailed(`preparing an entry ended as ${inWords(prepared)}`);
  }

  /** Sends a charge; the same charge again is the same entry. */
  pay(charge: Charge, gateway = this.gateway): Promise<{ outcome: Outcome; made: MadeCharge }> {
    return this.#sent(charge, (saveState) => gateway.charge(charge, saveState));
  }

  /** Opens the gateway's own page for a charge. @throws {CaseFailed} where there is none */
  openPage(charge: Charge, gateway = this.gateway): Promise<{ outcome: Outcome; made: MadeCharge }> {
    return this.#sent(charge, (saveState) => {
      const page = gateway.createCheckout?.(charge, saveState);
      if (page === undefined) throw new CaseFailed('the adapter has no page');
      return page;
    });
  }

  async #sent(
    charge: Charge,
    send: (saveState: (state: GatewayState) => Promise<void>) => Promise<Outcome>,
  ): Promise<{ outcome: Outcome; made: MadeCharge }> {
    let made = this.charges.find((one) => one.charge.ref === charge.ref);
    if (made === undefined) {
      // Before it is sent: whatever becomes of it, it is looked for afterwards.
      made = { charge, refunded: 0n };
      this.charges.push(made);
    }
    const entry = made;
    const outcome = await send((state) => {
      entry.state = state;
      entry.kept = state;
      return Promise.resolve();
    });
    const before = entry.outcome;
    // A repeat that charged again: both are refunded.
    if (before?.is === 'succeeded' && 'remote' in outcome && outcome.remote !== before.remote)
      this.charges.push({ charge, outcome: before, state: before.state, refunded: 0n });
    entry.outcome = outcome;
    if ('state' in outcome && outcome.state !== undefined) entry.state = outcome.state;
    this.note('remote' in outcome ? outcome.remote : undefined);
    return { outcome, made: entry };
  }

  /** An order to refund `minor` of a charge that was paid. */
  order(charge: Charge, paid: Paid, minor: bigint, refundedBefore = 0n): Refund {
    const { currency } = paid.captured;
    const sentAt = this.run.now();
    return {
      ref: newGatewayRef(),
      sentAt,
      lastSentAt: sentAt,
      amount: money(minor, currency),
      of: {
        ref: charge.ref,
        remote: paid.remote,
        state: paid.state,
        captured: paid.captured,
        refundedBefore: money(refundedBefore, currency),
      },
      reason: 'requestedByCustomer',
    };
  }

  /** Refunds; an order that is sent again counts once. */
  async refund(order: Refund, isRepeat = false): Promise<Outcome> {
    const made = this.charges.find((one) => one.charge.ref === order.of.ref);
    const outcome = await this.gateway.refund(order);
    const isOut = outcome.is === 'succeeded' || outcome.is === 'pending' || outcome.is === 'unknown';
    if (made !== undefined && isOut && !isRepeat) made.refunded += order.amount.minor;
    this.note('remote' in outcome ? outcome.remote : undefined);
    return outcome;
  }

  /** Begins to save a method and completes it as its payer would, as far as that goes without a person. */
  async save(method: TestMethod): Promise<Saving> {
    const { beginSetup: begin, completeSetup: finish } = this.gateway;
    if (begin === undefined || finish === undefined) throw new CaseFailed('the adapter cannot save methods');
    const { run } = this;
    const ref = newGatewayRef();
    const consent = this.consent();
    const { returnTo } = run;
    const person = {
      customerId: subject,
      resellerId: run.resellerId,
      name: 'Counterfoil Verification',
      email: 'verification@example.com',
    };
    const begun = await begin({
      ref,
      payer: run.payer?.state,
      person,
      ...kindOf(method),
      returnTo,
      consent,
    });
    const { payer, payerRemote, result: setup } = begun;
    if (payer === undefined) return { setup, payer: {}, ref, go: () => Promise.resolve(setup) };
    run.payer ??= { state: payer, remote: payerRemote ?? '' };
    if (setup.is !== 'continue') {
      const noted = this.#noted(setup);
      return { setup: noted, payer, ref, go: () => Promise.resolve(noted) };
    }
    let step = setup.state;
    let entry: Extract<EntryPrepared, { is: 'ready' }> | undefined;
    let isWaiting = false;
    const owned = ownedBy(method);
    const go = async (input: SetupCompletion['input']): Promise<SetupResult> => {
      if (isWaiting) this.waiting -= 1;
      const prepared = entry === undefined ? {} : { entry: entry.state };
      const finished = await finish({ ref, payer, step, input, returnTo, consent, ...prepared, ...owned });
      isWaiting = finished.is === 'continue' || finished.is === 'underWay';
      if ('state' in finished && finished.state !== undefined) step = finished.state;
      return this.#noted(finished);
    };
    if (method.play !== undefined) {
      if (run.control === undefined)
        throw new CaseNotAvailable('a payer has to answer the page of the provider');
      return { setup: await go(await method.play(setup.action, this.account)), payer, ref, go };
    }
    entry = await this.#prepare({ purpose: 'save', ...kindOf(method), payer, person });
    return { setup: await go(await this.#once(method, entry)), payer, ref, go };
  }

  /** Saves a method that is saved at once. @throws {CaseFailed} */
  async saved(method: TestMethod): Promise<{ method: Method; payer: GatewayState }> {
    const { setup, payer } = await this.save(method);
    if (setup.is !== 'saved') throw new CaseFailed(`saving ended as ${inWords(setup)}`);
    return { method: setup.method, payer };
  }

  #noted(setup: SetupResult): SetupResult {
    if (setup.is === 'saved') this.methods.push(setup.method);
    else if (setup.is === 'continue' || setup.is === 'underWay') this.waiting += 1;
    // Where the vault is ours the id is a token to charge with: no evidence.
    if (setup.is === 'saved' && this.run.can.vault.owner === 'gateway') this.note(setup.method.remote);
    return setup;
  }

  /** An account holder's agreement, from an address reserved for documentation. */
  consent(): Consent {
    return {
      text: 'Verification of a test account',
      version: subject,
      at: this.run.now(),
      ip: '203.0.113.7',
      agent: subject,
    };
  }

  /** Takes an id of the gateway into the evidence. */
  note(remote: string | undefined): void {
    if (remote !== undefined) this.ids.add(remote);
  }
}

/** A charge as the engine builds it again: a one-time method is gone. */
export const lost = (charge: Charge): Charge =>
  charge.source !== 'lost' && 'saved' in charge.source ? charge : { ...charge, source: 'lost' };

/** What was answered instead, for the operator; redacted. */
export function inWords(answer: Outcome | CancelResult | SetupResult | EntryPrepared): string {
  switch (answer.is) {
    case 'declined':
    case 'refused':
      return `${answer.is} (${redact(answer.why.code)})`;
    case 'notAttempted':
      return `notAttempted, ${answer.why}: ${redact(answer.detail)}`;
    case 'unknown':
      return `unknown: ${redact(answer.evidence)}`;
    case 'inconclusive':
      return `inconclusive: ${redact(answer.why)}`;
    default:
      return answer.is;
  }
}
