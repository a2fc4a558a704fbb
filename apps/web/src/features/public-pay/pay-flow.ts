import type { ConfirmationRequest, PayAnswer, PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { OVERLAY_MS } from '@counterfoil/contract/public-pay-words.ts';
import { next, type PublicPayEvent } from '@counterfoil/domain/public-pay.ts';
import type { ApiError } from '../../lib/api/api-error.ts';
import { failureOf, isDefiniteEnd, isDefiniteRefusal } from '../../paying/failure.ts';
import { settled } from '../../paying/settled.ts';
import { amountSent, type ShownPrice, wholePrice } from './part-price.ts';
import type { Lost, PayFlowParts, Submission } from './pay-parts.ts';
import {
  eventOfAttempt,
  eventOfDetails,
  eventOfRefusal,
  lostOutcome,
  merge,
  outcomeOfAnswer,
  outcomeOfAttempt,
  pollDelayMs,
  receiptOf,
  stillDueOf,
} from './pay-readings.ts';
import { initialView, type PayView } from './pay-view.ts';

/** Looks that find no trace of the payment before it counts as never arrived. */
const LOOKS_BEFORE_ABSENT = 3;

/**
 * The public payment page without its drawing: loads, pays and waits, and moves only along the state table of
 * `domain/public-pay`. Nothing is called failed while it could have been charged.
 */
export class PayFlow {
  readonly #parts: PayFlowParts;
  readonly #listeners = new Set<() => void>();
  #view: PayView = initialView;
  /** What the last submission was for, fee included. */
  #total: string | undefined;
  /** Counts the waits begun; an older one that wakes up finds that it is over. */
  #round = 0;

  constructor(parts: PayFlowParts) {
    this.#parts = parts;
  }

  readonly view = (): PayView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Begins the page. Resolves when there is nothing more to wait for.
   * @param returned what the provider's redirect brought back, when the payer comes from there
   * @param served the invoice as the page brought it: taken at once, and nobody is asked for it
   */
  async start(returned?: ConfirmationRequest, served?: PaymentInfo): Promise<void> {
    const { calls } = this.#parts;
    if (returned === undefined && served !== undefined) return this.#arrive(served);
    if (returned === undefined) return calls.details().then(this.#arrive, this.#loadFailed);
    const answer = await settled(calls.confirm(returned));
    const info = await settled(calls.details());
    if ('value' in info) this.#know(info.value);
    if ('value' in answer) {
      // The link is over: an open step at the bank leads nowhere from here; how any other stands is all there is.
      if ('error' in info && isDefiniteEnd(info.error) && answer.value.status === 'requires_action')
        return this.#loadFailed(info.error);
      const { info: known } = this.#view;
      return this.#take(answer.value, known?.attempt?.amount ?? known?.total, false);
    }
    if ('value' in info) return this.#arrive(info.value);
    if (isDefiniteRefusal(info.error)) return this.#loadFailed(info.error);
    // The payer comes from the bank and nobody can be asked: the last thing to say now is 'failed'.
    this.#set({ outcome: lostOutcome(undefined), isOffline: true });
    return this.#moveAndWait('beingConfirmed');
  }

  /** Sends the form. A submission while one is on its way does nothing. @param price as shown; else all that is due */
  async submit({ draft, ...fields }: Submission, price?: ShownPrice): Promise<void> {
    const { info, state } = this.#view;
    if (state !== 'form' || info === undefined) return;
    const { calls, now, drafts, newKey, uid } = this.#parts;
    const shown = price ?? wholePrice(info);
    this.#total = shown.total;
    const body = { uid, invoiceNumber: info.InvoiceNumber, ...fields, ...amountSent(info, shown) };
    const lost: Lost = { body, key: newKey(), before: info.attempt?.id };
    if (draft) drafts.save(draft);
    this.#set({
      receiptTo: receiptOf(info, fields.email),
      failure: undefined,
      outcome: undefined,
      isDueChanged: false,
    });
    this.#move('submit');
    const since = now().getTime();
    const answer = await settled(calls.pay(body, lost.key));
    if ('value' in answer) {
      if (answer.value.status === 'failed') await this.#holdOverlay(since);
      return this.#take(answer.value, shown.total, true);
    }
    if (isDefiniteRefusal(answer.error)) {
      await this.#holdOverlay(since);
      return this.#refused(answer.error);
    }
    this.#set({ outcome: lostOutcome(shown.total) });
    return this.#moveAndWait('beingConfirmed', lost);
  }

  /** 'Try again': asks for the invoice anew, because what is to be paid may have changed. */
  async retry(): Promise<void> {
    if (this.#view.isBusy) return;
    this.#set({ isBusy: true });
    const info = await settled(this.#parts.calls.details());
    this.#set({ isBusy: false, failure: undefined });
    this.#move('retry');
    return 'value' in info ? this.#arrive(info.value) : this.#loadFailed(info.error);
  }

  /**
   * A step at the bank is open: goes there again, or takes what has become of it meanwhile.
   * @param mayLeave false: only looks, the payer has not asked to go
   */
  async resume(mayLeave = true): Promise<void> {
    const { outcome, info, isBusy, state } = this.#view;
    const reqUid = outcome?.attemptId ?? info?.attempt?.id;
    if (isBusy || state !== 'requiresAction' || reqUid === undefined) return;
    this.#set({ isBusy: true, isLeaving: false });
    const answer = await settled(this.#parts.calls.confirm({ reqUid, uid: this.#parts.uid }));
    this.#set({ isBusy: false, isOffline: 'error' in answer });
    if ('value' in answer) await this.#take(answer.value, outcome?.amount ?? info?.total, mayLeave);
  }

  /** Gives up an open step; paying anew first cancels it at the provider. */
  startOver(): void {
    if (this.#view.state !== 'requiresAction' || this.#view.isBusy) return;
    this.#set({ outcome: undefined, isOffline: false });
    this.#move('retry');
  }

  /** Another tab has paid something, the connection is back, or the browser brought the page out of its cache. */
  async recheck(): Promise<void> {
    const { state } = this.#view;
    if (state === 'confirming' || state === 'submitted') return this.#parts.waiter.wake();
    if (state === 'requiresAction') return this.resume(false);
    if (next(state, 'paidElsewhere') === state) return;
    const info = await settled(this.#parts.calls.details());
    if (!('value' in info) || this.#view.state !== state) return;
    // The form stands while it is still true: nobody's typing is thrown away.
    const event = eventOfDetails(info.value, this.#parts.canTakeCards);
    if (event === 'invoicePayable') {
      this.#set({ isDueChanged: info.value.invoiceAmount !== this.#view.info?.invoiceAmount });
      return this.#know(info.value);
    }
    if (event === 'gatewayMisconfigured') return;
    this.#move('paidElsewhere');
    return this.#arrive(info.value);
  }

  #know(info: PaymentInfo): void {
    const receiptTo = this.#view.receiptTo ?? receiptOf(info, this.#parts.drafts.load()?.email);
    this.#set({ info, receiptTo, isOffline: false, stillDue: stillDueOf(info) });
  }

  readonly #arrive = (info: PaymentInfo): Promise<void> => {
    this.#know(info);
    this.#set({ outcome: info.attempt ? outcomeOfAttempt(info.attempt) : undefined });
    return this.#moveAndWait(eventOfDetails(info, this.#parts.canTakeCards));
  };

  readonly #loadFailed = (error: unknown): void => {
    this.#set({ failure: failureOf(error) });
    this.#move('loadFailed');
  };

  async #take(answer: PayAnswer, amount: string | undefined, mayLeave: boolean): Promise<void> {
    const seen = outcomeOfAnswer(answer, amount);
    const { outcome, info } = this.#view;
    // What an earlier look knows about the same attempt (its time, its card) stays.
    const known = [outcome, info?.attempt ? outcomeOfAttempt(info.attempt) : undefined].find(
      (one) => one?.attemptId !== undefined && one.attemptId === seen.attemptId,
    );
    this.#set({ outcome: merge(known ?? outcome, seen) });
    const url = answer.status === 'requires_action' && mayLeave ? answer.redirectToUrl : undefined;
    const leaves = url !== undefined && /^https?:\/\//.test(url);
    this.#set({ isLeaving: leaves });
    if (leaves) this.#parts.go(url);
    // Less than all may have been paid, or taken: what is left is told together with the success.
    const { status, stillDue } = answer;
    if (status === 'succeeded')
      this.#set({ stillDue: stillDue === undefined ? undefined : String(stillDue) });
    return this.#moveAndWait(eventOfAttempt(answer));
  }

  /** Refused because of what was paid meanwhile: what is due now stands beside the words. */
  async #learnDue(): Promise<void> {
    const found = await settled(this.#parts.calls.details());
    if ('value' in found) this.#know(found.value);
  }

  async #refused(error: ApiError): Promise<void> {
    const failure = failureOf(error);
    if (error.code === 'payment.amountChanged') await this.#learnDue();
    this.#set({
      failure,
      outcome: { ...lostOutcome(this.#total), message: failure.message },
    });
    this.#move(eventOfRefusal[error.code] ?? 'failed');
  }

  /** The overlay of a payment that has already failed goes 1.5 s after the submission. */
  async #holdOverlay(since: number): Promise<void> {
    const left = OVERLAY_MS - (this.#parts.now().getTime() - since);
    if (left > 0) await this.#parts.waiter.wait(left);
  }

  /** Moves, and keeps on looking for as long as the state waits for an end. */
  async #moveAndWait(event: PublicPayEvent, lost?: Lost): Promise<void> {
    this.#move(event);
    const round = ++this.#round;
    const isOver = () =>
      round !== this.#round || (this.#view.state !== 'confirming' && this.#view.state !== 'submitted');
    let absent = 0;
    for (let looks = 0; !isOver(); looks++) {
      await this.#parts.waiter.wait(pollDelayMs(this.#view.state, looks));
      if (isOver()) return;
      const found = await settled(this.#parts.calls.details());
      if (isOver()) return;
      if ('error' in found) {
        if (isDefiniteEnd(found.error)) await this.#lookBehind();
        else this.#set({ isOffline: true });
        continue;
      }
      const trace = this.#look(found.value, lost?.before);
      if (trace === 'found') continue;
      absent++;
      // Sent again with the same key: the server takes it once, whether or not the first one arrived.
      if (absent === 1 && lost) await this.#sendAgain(lost);
      else if (absent >= LOOKS_BEFORE_ABSENT) this.#neverArrived();
    }
  }

  #look(info: PaymentInfo, before: string | undefined): 'found' | 'nothing' {
    this.#know(info);
    const { attempt } = info;
    if (attempt && attempt.id !== before) {
      this.#set({ outcome: outcomeOfAttempt(attempt) });
      this.#move(eventOfAttempt(attempt));
      return 'found';
    }
    if (eventOfDetails(info, this.#parts.canTakeCards) !== 'invoicePaid') return 'nothing';
    this.#move('succeeded');
    return 'found';
  }

  /** The link is over while its payer waits: the attempt itself is asked about, where it is known. */
  async #lookBehind(): Promise<void> {
    const { uid, calls } = this.#parts;
    const { outcome } = this.#view;
    const found = await settled(calls.confirm({ reqUid: outcome?.attemptId ?? '', uid }));
    if ('error' in found) return this.#set({ isOffline: true });
    const seen = merge(outcome, outcomeOfAnswer(found.value, undefined));
    // A link that is over tells no amounts: how much was taken is not known here.
    const hidden = found.value.status === 'succeeded' && found.value.amount === undefined;
    this.#set({ isOffline: false, outcome: hidden ? { ...seen, amount: undefined } : seen });
    if (hidden) this.#set({ stillDue: undefined });
    this.#move(eventOfAttempt(found.value));
  }

  async #sendAgain({ body, key }: Lost): Promise<void> {
    const answer = await settled(this.#parts.calls.pay(body, key));
    if ('value' in answer) return this.#take(answer.value, this.#total, true);
    if (isDefiniteRefusal(answer.error)) return this.#refusedAfterAll(answer.error);
  }

  /** Refused now: whether the first sending arrived, the next look tells, unless this says it. */
  #refusedAfterAll(error: ApiError): void {
    if (error.code === 'payment.alreadyPaid') this.#move('succeeded');
  }

  #neverArrived(): void {
    const outcome = lostOutcome(this.#total);
    this.#set({ outcome: { ...outcome, message: this.#parts.notSentText } });
    this.#move('failed');
  }

  #move(event: PublicPayEvent): void {
    const before = this.#view.state;
    const state = next(before, event);
    this.#set({ state });
    if (state === before) return;
    if (state === 'success' || state === 'submitted') this.#parts.watch.announce();
    if (state === 'success' || state === 'paid' || state === 'credited') this.#parts.drafts.clear();
  }

  #set(change: Partial<PayView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
