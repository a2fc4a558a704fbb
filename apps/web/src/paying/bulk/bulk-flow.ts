import type { PaymentIntent } from '@counterfoil/contract/bulk-pay.ts';
import type { ConfirmationRequest, PayAnswer } from '@counterfoil/contract/public-pay.ts';
import { type BulkEvent, BulkStatus, isFinished, next } from '@counterfoil/domain/bulk-pay.ts';
import type { ApiError } from '../../lib/api/api-error.ts';
import { failureOf, isDefiniteEnd, isDefiniteRefusal, isRefusedItself } from '../failure.ts';
import { settled } from '../settled.ts';
import type { BulkFlowParts, BulkSubmission, Lost } from './bulk-parts.ts';
import type { BulkRequest } from './bulk-requests.ts';
import {
  type BulkView,
  eventOf,
  failedOutcome,
  initialView,
  isWebAddress,
  LOOKS_BEFORE_ABSENT,
  outcomeOfAnswer,
  outcomeOfAttempt,
  pollDelayMs,
  repriced,
} from './bulk-view.ts';

type Attempt = NonNullable<PaymentIntent['attempt']>;

const { IDLE, REQUESTED, LOADED, PAID, FAILED, BEING_CONFIRMED } = BulkStatus;

/**
 * A bulk payment without its drawing: asks for the price, pays, comes back from the bank and waits, and moves only
 * along the status table of `domain/bulk-pay`. Nothing is called failed while it could have been charged.
 */
export class BulkFlow {
  readonly #parts: BulkFlowParts;
  readonly #listeners = new Set<() => void>();
  #view: BulkView = initialView;
  #request: BulkRequest | undefined;
  /** The server's session, as far as it is known. */
  #session = '';
  /** Counts the waits begun; an older one that wakes up finds that it is over. */
  #round = 0;

  constructor(parts: BulkFlowParts) {
    this.#parts = parts;
  }

  readonly view = (): BulkView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The page is gone: nothing is asked any more. */
  stop(): void {
    this.#round += 1;
  }

  /** Begins the page of an id. Resolves when there is nothing more to wait for. */
  async start(id: string | undefined): Promise<void> {
    this.#request = this.#parts.requests.find(id);
    if (this.#request === undefined) this.#parts.requests.reset();
    this.#move(this.#request === undefined ? 'arriveWithoutId' : 'request');
    return this.load();
  }

  /** Asks for invoices and total; also after that has failed. */
  async load(): Promise<void> {
    const request = this.#request;
    if (request === undefined || this.#view.status !== REQUESTED) return;
    this.#set({ isBusy: true });
    const { calls } = this.#parts;
    const { id, invoiceIds, sessionId } = request;
    const found = await settled(
      sessionId === null ? calls.create({ invoiceIds: [...invoiceIds], id }) : calls.read(sessionId),
    );
    this.#set({ isBusy: false, failure: 'error' in found ? failureOf(found.error) : undefined });
    if ('value' in found && found.value.id === id) {
      this.#parts.requests.keep(id, found.value.sessionId);
      return this.#arrive(found.value);
    }
    if ('value' in found || isRefusedItself(found.error)) this.#invalid(id);
  }

  /** Asks for the total of another amount, as a session of its own. @param amount undefined: all that is due */
  async reprice(amount: string | undefined): Promise<void> {
    const { status, isBusy, isPaying, intent } = this.#view;
    if (status !== LOADED || isBusy || isPaying || intent === undefined) return;
    this.#set({ isBusy: true });
    const found = await settled(this.#parts.calls.create(repriced(intent, amount)));
    this.#set({ isBusy: false, hasChanged: false, failure: undefined });
    if ('error' in found) return this.#set({ failure: failureOf(found.error) });
    this.#parts.requests.keep(intent.id, found.value.sessionId);
    this.#know(found.value);
  }

  #invalid(id: string): void {
    this.#parts.requests.end(id);
    this.#parts.onChanged();
    this.#move('invalidIntent');
  }

  /** Begins the page the provider's redirect leads to. @param returned what it brought back */
  async startReturned(returned: ConfirmationRequest): Promise<void> {
    this.#session = returned.reqUid;
    this.#move('request');
    const round = ++this.#round;
    for (let looks = 0; round === this.#round; looks++) {
      const answer = await settled(this.#parts.calls.confirm(returned));
      if (round !== this.#round) return;
      if ('error' in answer && !isDefiniteEnd(answer.error)) {
        // The payer comes from the bank and nobody can be asked: the last thing to say now is 'failed'.
        this.#set({ isOffline: true });
        this.#move('process');
        await this.#parts.waiter.wait(pollDelayMs(false, looks));
        continue;
      }
      this.#set({ isOffline: false });
      const intent = await settled(this.#parts.calls.read(returned.reqUid));
      if ('value' in intent) this.#know(intent.value);
      if ('value' in answer) return this.#take(answer.value, undefined);
      this.#set({ failure: failureOf(answer.error) });
      return this.#move('fail');
    }
  }

  /** Pays. A submission while one is on its way does nothing. */
  async pay({ fields, method, amount }: BulkSubmission): Promise<void> {
    const { intent, isPaying, status } = this.#view;
    if (isPaying || status !== LOADED || intent === undefined) return;
    const { calls, newKey } = this.#parts;
    const body = { uid: intent.sessionId, ...fields };
    const lost: Lost = { body, key: newKey(), before: intent.attempt?.reference };
    this.#set({
      isPaying: true,
      hasChanged: false,
      failure: undefined,
      actionUrl: undefined,
      receiptTo: fields.email ?? intent.email ?? undefined,
      outcome: { reference: undefined, amount, asked: undefined, method, message: undefined, at: undefined },
    });
    const answer = await settled(calls.pay(body, lost.key));
    if ('value' in answer) return this.#answered(answer.value, lost);
    this.#set({ isPaying: false });
    if (isDefiniteRefusal(answer.error)) return this.#refused(answer.error);
    return this.#moveAndWait('process', lost);
  }

  /** Goes to the open step at the bank, or takes what has become of it meanwhile. */
  async resume(): Promise<void> {
    if (this.#view.isBusy || this.#view.actionUrl === undefined) return;
    this.#set({ isBusy: true });
    await this.recheck();
    this.#set({ isBusy: false });
    const { actionUrl } = this.#view;
    if (actionUrl === undefined) return;
    this.#set({ isLeaving: true });
    this.#parts.go(actionUrl);
  }

  /** Gives up an open step; paying anew first cancels it at the provider. */
  startOver(): void {
    if (this.#view.status === LOADED) this.#set({ actionUrl: undefined, outcome: undefined });
  }

  /** Another tab has paid something, the connection is back, or the browser brought the page out of its cache. */
  async recheck(): Promise<void> {
    const { status, intent, isPaying, isLeaving } = this.#view;
    if (status === BEING_CONFIRMED) return this.#parts.waiter.wake();
    if (status !== LOADED || intent === undefined || (isPaying && !isLeaving)) return;
    const found = await settled(this.#parts.calls.read(intent.sessionId));
    this.#set({ isPaying: false, isLeaving: false, isOffline: 'error' in found });
    if ('value' in found && this.#view.status === LOADED) return this.#arrive(found.value);
  }

  async #arrive(intent: PaymentIntent): Promise<void> {
    const before = this.#view.intent;
    this.#know(intent);
    this.#set({ hasChanged: before !== undefined && before.total !== intent.total });
    const { attempt } = intent;
    // A declined try is over; the session it was made in may be paid by another.
    if (attempt !== null && (attempt.status !== 'failed' || intent.status === FAILED)) {
      return this.#takeAttempt(attempt);
    }
    // None of its invoices is left to be paid.
    if (intent.status === IDLE) return this.#invalid(intent.id);
    if (intent.status === PAID) return this.#move('succeed');
    if (intent.status === BEING_CONFIRMED) return this.#moveAndWait('process');
    if (intent.status === FAILED) return this.#failed(intent.error ?? undefined);
    this.#set({ actionUrl: undefined });
    this.#move('load');
  }

  #takeAttempt(attempt: Attempt): Promise<void> {
    return this.#moveAndWait(this.#knowAttempt(attempt));
  }

  #knowAttempt(attempt: Attempt): BulkEvent {
    const event = eventOf(attempt.status);
    this.#set({
      outcome: outcomeOfAttempt(attempt, this.#view.outcome),
      isSubmitted: attempt.expected === 'days',
      actionUrl: event === undefined ? attempt.redirectToUrl : undefined,
    });
    return event ?? 'load';
  }

  async #answered(answer: PayAnswer, { before }: Lost): Promise<void> {
    if (answer.status === 'requires_action' && isWebAddress(answer.redirectToUrl)) {
      this.#set({ isLeaving: true, actionUrl: answer.redirectToUrl });
      return this.#parts.go(answer.redirectToUrl);
    }
    // The paying state ends when the intent is refreshed, so that the screen that follows says all of it at once.
    const intent = await settled(this.#parts.calls.read(this.#session));
    if ('value' in intent) this.#know(intent.value);
    this.#set({ isPaying: false });
    return this.#take(answer, before);
  }

  /** The intent says more about the attempt than the answer, once it knows of it. */
  #take(answer: PayAnswer, before: string | undefined): Promise<void> {
    const attempt = this.#view.intent?.attempt;
    if (
      attempt &&
      attempt.reference === (answer.reference ?? attempt.reference) &&
      attempt.reference !== before
    ) {
      return this.#takeAttempt(attempt);
    }
    const event = eventOf(answer.status);
    this.#set({
      outcome: outcomeOfAnswer(answer, this.#view.outcome),
      isSubmitted: answer.expected === 'days',
      actionUrl: event === undefined ? answer.redirectToUrl : undefined,
    });
    return this.#moveAndWait(event ?? 'load');
  }

  async #refused(error: ApiError): Promise<void> {
    if (error.code !== 'payment.quoteChanged') {
      this.#set({ failure: failureOf(error) });
      return this.#failed(failureOf(error).message);
    }
    const intent = await settled(this.#parts.calls.read(this.#session));
    if ('value' in intent) await this.#arrive(intent.value);
    this.#set({ hasChanged: true });
  }

  #failed(message: string | undefined): void {
    this.#set({ outcome: failedOutcome(this.#view.outcome, message) });
    this.#move('fail');
  }

  /** Moves, and keeps on looking for as long as the end is not known. */
  async #moveAndWait(event: BulkEvent, lost?: Lost): Promise<void> {
    this.#move(event);
    const round = ++this.#round;
    const isOver = () => round !== this.#round || this.#view.status !== BEING_CONFIRMED;
    for (let looks = 0, absent = 0; !isOver(); looks++) {
      await this.#parts.waiter.wait(pollDelayMs(this.#view.isSubmitted, looks));
      if (isOver()) return;
      const found = await settled(this.#parts.calls.read(this.#session));
      if (isOver()) return;
      this.#set({ isOffline: 'error' in found });
      if ('error' in found) continue;
      this.#know(found.value);
      const { attempt } = found.value;
      if (attempt && (lost === undefined || attempt.reference !== lost.before)) {
        this.#move(this.#knowAttempt(attempt));
        continue;
      }
      if (found.value.status === PAID) return this.#move('succeed');
      absent++;
      // Sent again with the same key: the server takes it once, whether or not the first one arrived.
      if (absent === 1 && lost) await this.#sendAgain(lost);
      else if (absent >= LOOKS_BEFORE_ABSENT && lost) this.#failed(this.#parts.notSentText);
    }
  }

  async #sendAgain(lost: Lost): Promise<void> {
    const answer = await settled(this.#parts.calls.pay(lost.body, lost.key));
    if ('value' in answer) await this.#answered(answer.value, lost);
  }

  #know(intent: PaymentIntent): void {
    this.#session = intent.sessionId;
    this.#set({ intent, receiptTo: this.#view.receiptTo ?? intent.email ?? undefined, isOffline: false });
  }

  #move(event: BulkEvent): void {
    const before = this.#view.status;
    const status = next(before, event);
    const isInvalid = event === 'arriveWithoutId' || event === 'invalidIntent';
    if (status !== before || isInvalid) this.#set({ status, isInvalid: isInvalid && status === IDLE });
    if (status === before || status === IDLE || status === REQUESTED || status === LOADED) return;
    if (isFinished(status)) this.#parts.requests.end(this.#session);
    this.#parts.onChanged();
    if (status === PAID) this.#parts.watch.announce();
  }

  #set(change: Partial<BulkView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
