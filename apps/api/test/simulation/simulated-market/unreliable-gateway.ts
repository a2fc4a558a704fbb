import type {
  Charge,
  LookupResult,
  LookupStrategy,
  Outcome,
  Refund,
  SaveState,
} from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { ScriptedGateway } from '../../fixtures/paying/scripted-gateway.ts';
import { type Trouble, USD } from './market.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A charge in the gateway's own book: one entry for a reference, however often it is sent. */
export interface AtGateway {
  readonly ref: string;
  readonly asked: bigint;
  /** What it takes: nearly always what it is asked for. */
  readonly captured: bigint;
  readonly isBank: boolean;
  state: 'taken' | 'processing' | 'challenge' | 'declined' | 'closed';
  /** Before this, looking for it finds nothing. */
  readonly visibleAt: number;
  /** Until then the same request is answered with the same error. */
  readonly replaysErrorUntil: number;
  /** Net of what came back by disputes and refunds made there. */
  away: bigint;
}

export interface Refunded {
  readonly of: string;
  readonly minor: bigint;
  readonly isRefused: boolean;
}

/** Told of what has become of a charge, each time. */
export type Listener = (entry: AtGateway) => void;

/** Nothing that was sent before this can still arrive. */
export const ABSENT_AFTER_MS = 120_000;
const HOUR = 3_600_000;
/** A third of the charges, by their reference. */
const isUnclear = (ref: string): boolean => (ref.codePointAt(0) ?? 0) % 3 === 0;
const unknown = { is: 'unknown', evidence: 'cut' } as const;

/** An honest gateway with a bad line: whatever it says is true when it says it. */
export class UnreliableGateway {
  readonly book = new Map<string, AtGateway>();
  readonly refunded = new Map<string, Refunded>();
  /** References of the charges that processes came to send. */
  readonly called = new Set<string>();
  readonly #time: VirtualTime;
  readonly #trouble: Trouble;
  readonly #tell: Listener;

  constructor(time: VirtualTime, trouble: Trouble, tell: Listener) {
    this.#time = time;
    this.#trouble = trouble;
    this.#tell = tell;
  }

  /** Makes a scripted gateway act as this one. */
  script(gateway: ScriptedGateway): void {
    gateway.onCharge = (charge, saveState) => this.#charge(charge, saveState);
    gateway.onLookup = (charge, strategy) => this.#find(charge, strategy);
    gateway.onCancel = (charge) => this.#close(charge);
    gateway.onRefund = (order) => this.#refund(order);
    gateway.onLookupRefund = (order) => this.#lookupRefund(order);
  }

  /** The payer has been to the bank. */
  finishChallenge(ref: string): void {
    const entry = this.book.get(ref);
    if (entry?.state !== 'challenge') return;
    entry.state = this.#trouble.random() < 0.75 ? 'taken' : 'declined';
    this.#trouble.count(`challenge ${entry.state}`);
    this.#tell(entry);
  }

  /** A way on the line, there or back. */
  async #travel(): Promise<void> {
    const isSlow = this.#trouble.strikes('a slow line', 0.02);
    await this.#time.sleep(isSlow ? this.#trouble.between(5_000, 25_000) : this.#trouble.between(10, 600));
  }

  async #charge(charge: Charge, saveState: SaveState): Promise<Outcome> {
    this.called.add(charge.ref);
    // Long enough that others may take it for one that never came: what is kept below tells them apart.
    if (this.#trouble.strikes('a process stands still before its call', 0.03))
      await this.#time.sleep(this.#standstill());
    try {
      await saveState({ kept: charge.ref });
    } catch {
      return { is: 'notAttempted', why: 'unreachable', detail: 'not kept' };
    }
    const found = await this.#send(charge);
    return found.is === 'absent' || found.is === 'closed' || found.is === 'inconclusive' ? unknown : found;
  }

  /** Half of them are there again just when others could take the call for one that never came. */
  #standstill(): number {
    const isClose = this.#trouble.random() < 0.5;
    return isClose
      ? this.#trouble.between(ABSENT_AFTER_MS - 5_000, ABSENT_AFTER_MS + 10_000)
      : this.#trouble.between(30_000, ABSENT_AFTER_MS + 10_000);
  }

  async #send(charge: Charge): Promise<LookupResult> {
    const { ref } = charge;
    if (this.#trouble.strikes('a request is lost', 0.04)) {
      await this.#travel();
      return unknown;
    }
    if (this.#trouble.strikes('a request arrives late', 0.04)) {
      this.#time.at(this.#time.now + this.#trouble.between(1_000, 60_000), () => this.#carryOut(charge));
      await this.#travel();
      return unknown;
    }
    await this.#travel();
    this.#carryOut(charge);
    const found = this.#truth(charge);
    if ((this.book.get(ref)?.replaysErrorUntil ?? 0) > this.#time.now) return unknown;
    if (this.#trouble.strikes('an answer is lost', 0.06)) {
      await this.#time.sleep(this.#trouble.between(100, 30_000));
      return unknown;
    }
    if (this.#trouble.strikes('an answer comes after its time', 0.02))
      await this.#time.sleep(this.#trouble.between(21_000, 90_000));
    else await this.#travel();
    return found;
  }

  #carryOut(charge: Charge): void {
    if (this.book.has(charge.ref)) return;
    const { random } = this.#trouble;
    const isBank =
      typeof charge.source === 'object' && 'saved' in charge.source && charge.source.saved['kind'] === 'bank';
    const roll = random();
    const state = isBank ? 'processing' : roll < 0.12 ? 'declined' : roll < 0.22 ? 'challenge' : 'taken';
    const asked = charge.amount.minor;
    const takesLess = this.#trouble.strikes('less is taken than asked', 0.003);
    const takesMore = !takesLess && this.#trouble.strikes('more is taken than asked', 0.002);
    const isBlind = this.#trouble.strikes('look-ups see nothing for a while', 0.05);
    const replaysError = this.#trouble.strikes('an error is replayed', 0.02);
    const entry: AtGateway = {
      ref: charge.ref,
      asked,
      isBank,
      state,
      away: 0n,
      captured: takesLess ? asked - asked / 3n : takesMore ? asked + 777n : asked,
      visibleAt: isBlind ? this.#time.now + this.#trouble.between(1_000, 300_000) : 0,
      replaysErrorUntil: replaysError ? this.#time.now + this.#trouble.between(1_000, 3_600_000) : 0,
    };
    this.book.set(charge.ref, entry);
    this.#trouble.count(`gateway: ${state}`);
    this.#tell(entry);
    // While the payer may still be there the engine asks every few seconds: few banks take long enough for that.
    if (isBank) {
      const takes =
        random() < 0.7 ? this.#trouble.between(5_000, HOUR / 20) : this.#trouble.between(HOUR, 60 * HOUR);
      this.#time.at(this.#time.now + takes, () => this.#settleBank(entry));
    }
  }

  #settleBank(entry: AtGateway): void {
    entry.state = this.#trouble.random() < 0.85 ? 'taken' : 'declined';
    this.#trouble.count(`bank ${entry.state}`);
    this.#tell(entry);
  }

  /** What is true of a charge now. */
  #truth({ ref, lastSentAt }: Charge): LookupResult {
    const known = this.book.get(ref);
    const remote = remoteId(`r_${ref}`);
    switch (known?.state) {
      case 'taken':
        return { is: 'succeeded', remote, captured: USD(known.captured), state: { done: '1' } };
      case 'processing':
        return { is: 'pending', because: 'bank', remote, state: { kept: ref } };
      case 'challenge':
        return {
          is: 'requiresAction',
          remote,
          state: { kept: ref },
          action: { do: 'redirect', to: 'https://bank.example/' },
        };
      case 'declined':
        return { is: 'declined', why: { class: 'otherMethod', code: 'no', text: 'Your card was declined' } };
      case 'closed':
        return { is: 'closed' };
      default:
        return { is: 'absent', proven: this.#time.now - lastSentAt.getTime() >= ABSENT_AFTER_MS };
    }
  }

  async #find(charge: Charge, strategy: LookupStrategy | undefined): Promise<LookupResult> {
    if (this.#trouble.strikes('a look-up fails', 0.06)) {
      await this.#travel();
      return unknown;
    }
    if (strategy?.mayCharge === true) {
      const isAway = this.#trouble.strikes('a repeat is not sent', 0.05);
      return isAway ? { is: 'inconclusive', why: 'busy' } : this.#send(charge);
    }
    await this.#travel();
    const known = this.book.get(charge.ref);
    const found = this.#truth(charge);
    // What was true may no longer be when the answer is there.
    if (this.#trouble.strikes('a look-up takes long', 0.12))
      await this.#time.sleep(this.#trouble.between(5_000, 40_000));
    else await this.#travel();
    if (known !== undefined && known.visibleAt > this.#time.now && known.state !== 'closed')
      return { is: 'inconclusive', why: 'not visible yet' };
    // What a look-up leaves open is sent again soon; the others are waited for until absence is proven.
    const isOpen = isUnclear(charge.ref) && this.#trouble.strikes('a look-up cannot tell', 0.3);
    return isOpen ? { is: 'inconclusive', why: 'busy' } : found;
  }

  async #close(charge: Charge): Promise<LookupResult> {
    await this.#travel();
    const known = this.book.get(charge.ref);
    if (this.#trouble.strikes('a closing request is lost', 0.05)) return unknown;
    if (known?.state === 'challenge') {
      known.state = 'closed';
      this.#trouble.count('gateway: closed');
    }
    const found = this.#truth(charge);
    if (this.#trouble.strikes('the answer to closing is lost', 0.05)) return unknown;
    await this.#travel();
    return found;
  }

  async #refund(order: Refund): Promise<Outcome> {
    await this.#travel();
    if (this.#trouble.strikes('a refund is lost', 0.08)) return unknown;
    this.#carryBack(order);
    const found = this.#truthOfBack(order);
    if (this.#trouble.strikes('the answer to a refund is lost', 0.12)) return unknown;
    await this.#travel();
    return found.is === 'succeeded' || found.is === 'declined' ? found : unknown;
  }

  #carryBack({ ref, of, amount }: Refund): void {
    if (this.refunded.has(ref)) return;
    const isRefused = this.#trouble.random() < 0.05;
    this.refunded.set(ref, { of: of.ref, minor: amount.minor, isRefused });
  }

  #truthOfBack({ ref, lastSentAt }: Refund): LookupResult {
    const known = this.refunded.get(ref);
    if (known === undefined)
      return { is: 'absent', proven: this.#time.now - lastSentAt.getTime() >= ABSENT_AFTER_MS };
    if (known.isRefused)
      return { is: 'declined', why: { class: 'otherMethod', code: 'no', text: 'It cannot be refunded' } };
    return { is: 'succeeded', remote: remoteId(`gb_${ref}`), captured: USD(known.minor), state: {} };
  }

  async #lookupRefund(order: Refund): Promise<LookupResult> {
    await this.#travel();
    const found = this.#truthOfBack(order);
    await this.#travel();
    return this.#trouble.strikes('a look-up of a refund fails', 0.1) ? unknown : found;
  }
}
