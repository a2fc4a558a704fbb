import type { ConfirmationRequest, PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { next, type PayEvent } from '@counterfoil/domain/paying/pay-state.ts';
import type { ApiError } from '../lib/api/api-error.ts';
import { failureOf, isDefiniteEnd, isDefiniteRefusal } from './outcome/failure.ts';
import { t } from './outcome/outcome-messages.ts';
import { settled } from './outcome/settled.ts';
import type { FlowParts, Payable, Prepared, SeenAttempt } from './payable.ts';
import {
  eventOfAttempt,
  idOf,
  isWebAddress,
  LOOKS_BEFORE_ABSENT,
  merged,
  outcomeOfAnswer,
  pollDelayMs,
  sentOutcome,
  stillDueOfAnswer,
} from './readings.ts';
import { initialView, type PaymentView } from './view.ts';

/** A paying call whose answer was lost. */
interface Lost {
  readonly prepared: Prepared;
  readonly key: string;
  /** The attempt that was there before it. */
  readonly before: string | undefined;
}

/** Refusals because of what was paid meanwhile: what is due now is asked for. */
const priceRefusals: ReadonlySet<string> = new Set(['payment.amountChanged', 'payment.quoteChanged']);

/**
 * A payment without its drawing: loads, pays, comes back from the bank and waits, and moves only along the state table
 * of `domain/pay-state`. Nothing is called failed while it could have been charged.
 */
export class PaymentFlow<Info, Input> {
  readonly #payable: Payable<Info, Input>;
  readonly #parts: FlowParts;
  readonly #listeners = new Set<() => void>();
  #view: PaymentView<Info> = initialView;
  /** Counts the waits begun; an older one that wakes up finds that it is over. */
  #round = 0;

  constructor(payable: Payable<Info, Input>, parts: FlowParts) {
    this.#payable = payable;
    this.#parts = parts;
  }

  readonly view = (): PaymentView<Info> => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Begins. Resolves when there is nothing more to wait for.
   * @param served what is to be paid, as the page brought it: taken at once, and nobody is asked for it
   */
  async start(served?: Info): Promise<void> {
    return served === undefined ? this.#load() : this.#arrive(served);
  }

  /** Begins with what the provider's redirect brought back. */
  async startReturned(returned: ConfirmationRequest): Promise<void> {
    const { confirm, read, hasForm } = this.#payable;
    const round = ++this.#round;
    for (let looks = 0; ; looks++) {
      const answer = await settled(confirm(returned));
      const info = await settled(read());
      if (round !== this.#round) return;
      const isFirst = this.#view.state === 'loading';
      if ('value' in info) this.#know(info.value);
      if ('value' in answer) {
        // The link is over: an open step at the bank leads nowhere from here; how any other stands is all there is.
        const isOver = 'error' in info && hasForm && isDefiniteEnd(info.error);
        if (isOver && isFirst && answer.value.status === 'requires_action')
          return this.#loadFailed(info.error);
        return this.#take(answer.value, { mayLeave: false, isFresh: 'value' in info });
      }
      if (isDefiniteEnd(answer.error)) return this.#notReturned(answer.error, info, isFirst);
      const ended = 'value' in info ? this.#endOf(returned) : undefined;
      if (ended) {
        this.#set({ outcome: merged(this.#view.outcome, ended.outcome) });
        return this.#move(eventOfAttempt(ended));
      }
      if (isFirst && hasForm && 'error' in info && isDefiniteRefusal(info.error))
        return this.#loadFailed(info.error);
      // The payer comes from the bank and nobody can be asked: the last thing to say now is 'failed'.
      this.#set({ isOffline: true });
      this.#move('beingConfirmed');
      await this.#parts.waiter.wait(pollDelayMs(this.#view.state, looks));
      if (round !== this.#round) return;
    }
  }

  /** The attempt that the payer comes back from, once it is known to have ended. */
  #endOf({ reqUid }: ConfirmationRequest): SeenAttempt | undefined {
    const attempt = this.#reading()?.attempt;
    const isIt = attempt?.outcome.attemptId === undefined || attempt.outcome.attemptId === reqUid;
    return isIt && (attempt?.status === 'succeeded' || attempt?.status === 'failed') ? attempt : undefined;
  }

  /** The server truly knows of no such step. */
  #notReturned(
    error: unknown,
    info: { readonly value: Info } | { readonly error: unknown },
    isFirst: boolean,
  ): Promise<void> | void {
    if (this.#payable.hasForm && isFirst)
      return 'value' in info ? this.#arrive(info.value) : this.#loadFailed(info.error);
    this.#set({ failure: failureOf(error), isOffline: false });
    this.#move('failed');
  }

  /** The page is gone: nothing is asked any more. */
  stop(): void {
    this.#round += 1;
  }

  /** Sends the form. A submission while one is on its way does nothing. */
  async submit(input: Input): Promise<void> {
    const { info, state } = this.#view;
    if (state !== 'form' || info === undefined) return;
    const prepared = this.#payable.prepare(input, info);
    const lost: Lost = {
      prepared,
      key: this.#parts.newKey(),
      before: idOf(this.#reading()?.attempt?.outcome),
    };
    const { outcome, receiptTo } = prepared;
    this.#set({ outcome, receiptTo, failure: undefined, isDueChanged: false, isLeaving: false });
    this.#move('submit');
    const since = this.#parts.now().getTime();
    const answer = await settled(prepared.send(lost.key));
    if ('value' in answer) {
      if (answer.value.status === 'failed') await this.#holdOverlay(since);
      return this.#take(answer.value, { mayLeave: true, isFresh: false, before: lost.before });
    }
    if (isDefiniteRefusal(answer.error)) {
      await this.#holdOverlay(since);
      return this.#refused(answer.error);
    }
    return this.#moveAndWait('beingConfirmed', lost);
  }

  /** 'Try again': asks again what is to be paid, because that may have changed. */
  async retry(): Promise<void> {
    if (this.#view.isBusy) return;
    this.#set({ isBusy: true });
    const found = await settled(this.#payable.load());
    this.#set({ isBusy: false, failure: undefined });
    this.#move('retry');
    return this.#loaded(found);
  }

  /** Asks for another price while the form stands. @param ask for the same payment at that price */
  async reprice(ask: (info: Info) => Promise<Info>): Promise<void> {
    const { state, isBusy, info } = this.#view;
    if (state !== 'form' || isBusy || info === undefined) return;
    this.#set({ isBusy: true });
    const found = await settled(ask(info));
    this.#set({ isBusy: false, isDueChanged: false, failure: undefined });
    if ('error' in found) this.#set({ failure: failureOf(found.error) });
    else this.#know(found.value);
  }

  /**
   * A step at the bank is open: goes there again, or takes what has become of it meanwhile.
   * @param mayLeave false: only looks, the payer has not asked to go
   */
  async resume(mayLeave = true): Promise<void> {
    const { outcome, isBusy, state } = this.#view;
    if (isBusy || state !== 'requiresAction') return;
    this.#set({ isBusy: true, isLeaving: false });
    const answer = await settled(this.#payable.confirm(this.#payable.askedAbout(outcome)));
    this.#set({ isBusy: false, isOffline: 'error' in answer });
    if ('value' in answer) await this.#take(answer.value, { mayLeave, isFresh: false });
  }

  /** Gives up an open step; paying again first cancels it at the provider. */
  startOver(): void {
    if (this.#view.state !== 'requiresAction' || this.#view.isBusy) return;
    this.#set({ outcome: undefined, isOffline: false });
    this.#move('retry');
  }

  /** Another tab has paid something, the connection is back, or the browser brought the page out of its cache. */
  async recheck(): Promise<void> {
    const { state, info: before } = this.#view;
    if (state === 'confirming' || state === 'submitted') return this.#parts.waiter.wake();
    if (state === 'requiresAction') return this.resume(false);
    if (next(state, 'paidElsewhere') === state) return;
    const { load, read } = this.#payable;
    const ask: () => Promise<Info | undefined> = before === undefined ? load : read;
    const found = await settled(ask());
    if (!('value' in found) || found.value === undefined || this.#view.state !== state) return;
    const { event, due } = this.#payable.readingOf(found.value);
    // The form stands while it is still true: nobody's typing is thrown away.
    if (event === 'invoicePayable') {
      this.#set({ isDueChanged: before !== undefined && due !== this.#payable.readingOf(before).due });
      return this.#know(found.value);
    }
    if (event === 'gatewayMisconfigured' || event === state) return;
    this.#move('paidElsewhere');
    return this.#arrive(found.value);
  }

  #reading() {
    const { info } = this.#view;
    return info === undefined ? undefined : this.#payable.readingOf(info);
  }

  #know(info: Info): void {
    const { receiptTo, stillDue } = this.#payable.readingOf(info);
    this.#set({ info, stillDue, receiptTo: this.#view.receiptTo ?? receiptTo, isOffline: false });
  }

  async #load(): Promise<void> {
    return this.#loaded(await settled(this.#payable.load()));
  }

  #loaded(found: { readonly value: Info | undefined } | { readonly error: unknown }): Promise<void> | void {
    if ('error' in found) return this.#loadFailed(found.error);
    return found.value === undefined ? this.#move('invalidIntent') : this.#arrive(found.value);
  }

  #loadFailed(error: unknown): void {
    this.#set({ failure: failureOf(error) });
    this.#move(this.#payable.afterLoadFailure(error));
  }

  #arrive(info: Info): Promise<void> {
    this.#know(info);
    const { event, attempt } = this.#payable.readingOf(info);
    this.#set({ outcome: attempt && merged(this.#view.outcome, attempt.outcome) });
    return this.#moveAndWait(event);
  }

  /**
   * Takes an answer, and goes to the bank where it asks for that.
   * @param how `isFresh`: what is to be paid was read after the answer; `before`: the attempt before the one answered for
   */
  async #take(
    answer: PayAnswer,
    how: { readonly mayLeave: boolean; readonly isFresh: boolean; readonly before?: string | undefined },
  ): Promise<void> {
    const { status, redirectToUrl } = answer;
    const isLeaving = status === 'requires_action' && how.mayLeave && isWebAddress(redirectToUrl);
    let { isFresh } = how;
    if (this.#payable.isReread && !isLeaving && !isFresh) isFresh = await this.#reread();
    const seen = outcomeOfAnswer(answer);
    const attempt = isFresh ? this.#reading()?.attempt : undefined;
    const id = idOf(attempt?.outcome);
    // What was read after the answer says more of the same attempt than the answer.
    if (attempt && id !== how.before && id === (idOf(seen) ?? id)) {
      this.#set({ isLeaving, outcome: merged(this.#view.outcome, attempt.outcome) });
      return this.#moveAndWait(eventOfAttempt(attempt));
    }
    this.#set({ isLeaving, outcome: merged(this.#view.outcome, seen) });
    if (isLeaving && redirectToUrl !== undefined) this.#parts.go(redirectToUrl);
    // Less than all may have been paid, or taken: what is left is told together with the success.
    if (status === 'succeeded') this.#set({ stillDue: stillDueOfAnswer(answer) });
    return this.#moveAndWait(eventOfAttempt(answer));
  }

  /** @returns whether it could be read */
  async #reread(): Promise<boolean> {
    const found = await settled(this.#payable.read());
    if ('value' in found) this.#know(found.value);
    return 'value' in found;
  }

  async #refused(error: ApiError): Promise<void> {
    if (priceRefusals.has(error.code)) await this.#reread();
    const event = this.#payable.afterRefusal(error.code) ?? 'failed';
    if (event === 'priceChanged') {
      const { info } = this.#view;
      this.#set({ isDueChanged: true });
      if (info === undefined || this.#reading()?.event === 'invoicePayable') return this.#move(event);
      return this.#arrive(info);
    }
    const failure = failureOf(error);
    this.#set({ failure });
    this.#failed(failure.message, event);
  }

  #failed(message: string, event: PayEvent = 'failed'): void {
    this.#set({ outcome: { ...(this.#view.outcome ?? sentOutcome(undefined)), message } });
    this.#move(event);
  }

  /** The overlay of a payment that has already failed stays for a while after the submission. */
  async #holdOverlay(since: number): Promise<void> {
    const left = this.#payable.overlayMs - (this.#parts.now().getTime() - since);
    if (left > 0) await this.#parts.waiter.wait(left);
  }

  /** Moves, and keeps on looking for as long as the state waits for an end. */
  async #moveAndWait(event: PayEvent, lost?: Lost): Promise<void> {
    this.#move(event);
    const round = ++this.#round;
    const isOver = () =>
      round !== this.#round || (this.#view.state !== 'confirming' && this.#view.state !== 'submitted');
    let absent = 0;
    for (let looks = 0; !isOver(); looks++) {
      await this.#parts.waiter.wait(pollDelayMs(this.#view.state, looks));
      if (isOver()) return;
      const found = await settled(this.#payable.read());
      if (isOver()) return;
      if ('error' in found) {
        if (isDefiniteEnd(found.error)) await this.#lookBehind();
        else this.#set({ isOffline: true });
        continue;
      }
      if (this.#look(found.value, lost?.before)) continue;
      absent++;
      // Sent again with the same key: the server takes it once, whether or not the first one arrived.
      if (absent === 1 && lost) await this.#sendAgain(lost);
      else if (absent >= LOOKS_BEFORE_ABSENT && lost) this.#failed(t('failed.notSent'));
    }
  }

  /** @returns whether there is a trace of the payment */
  #look(info: Info, before: string | undefined): boolean {
    this.#know(info);
    const { attempt, event } = this.#payable.readingOf(info);
    if (attempt && idOf(attempt.outcome) !== before) {
      this.#set({ outcome: merged(this.#view.outcome, attempt.outcome) });
      this.#move(eventOfAttempt(attempt));
      return true;
    }
    if (event !== 'invoicePaid' && event !== 'succeeded') return false;
    this.#move('succeeded');
    return true;
  }

  /** What is to be paid cannot be read any more: the attempt itself is asked about, where it is known. */
  async #lookBehind(): Promise<void> {
    const { confirm, askedAbout } = this.#payable;
    const { outcome } = this.#view;
    const found = await settled(confirm(askedAbout(outcome)));
    if ('error' in found) return this.#set({ isOffline: true });
    const seen = merged(outcome, outcomeOfAnswer(found.value));
    // A link that is over tells no amounts: how much was taken is not known here.
    const isHidden = found.value.status === 'succeeded' && found.value.amount === undefined;
    this.#set({ isOffline: false, outcome: isHidden ? { ...seen, amount: undefined } : seen });
    if (isHidden) this.#set({ stillDue: undefined });
    this.#move(eventOfAttempt(found.value));
  }

  /** Refused now says nothing: whether the first sending arrived, the next look tells. */
  async #sendAgain({ prepared, key, before }: Lost): Promise<void> {
    const answer = await settled(prepared.send(key));
    if ('value' in answer) await this.#take(answer.value, { mayLeave: true, isFresh: false, before });
  }

  #move(event: PayEvent): void {
    const before = this.#view.state;
    const state = next(before, event);
    this.#set({ state });
    if (state === before) return;
    if (state === 'success' || state === 'submitted') this.#parts.watch.announce();
    this.#payable.onState(state);
  }

  #set(change: Partial<PaymentView<Info>>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
