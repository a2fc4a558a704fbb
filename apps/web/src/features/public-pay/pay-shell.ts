import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { initialView } from '../../paying/view.ts';
import type { DraftStore } from './form/draft.ts';
import type { PricedSubmission } from './link/pay-link.ts';
import type { OpenPay } from './open-pay-flow.ts';
import type { Outcomes } from './outcome/outcomes.tsx';
import type { PayControl } from './pay-page.tsx';
import type { PayView } from './pay-view.ts';

/**
 * The page before the code that pays is there: an invoice that the server has drawn the form of stands, and a press waits
 * for that code. Where it does not come, nothing was sent, and the page says so.
 */
export class PayShell implements PayControl {
  readonly #open: () => Promise<OpenPay>;
  readonly #drafts: Pick<DraftStore, 'save'>;
  readonly #listeners = new Set<() => void>();
  #view: PayView;
  #opened: OpenPay | undefined;
  #opening: Promise<OpenPay | undefined> | undefined;

  /**
   * @param open loads the code and begins
   * @param drawn the invoice whose form the server has drawn
   */
  constructor(
    open: () => Promise<OpenPay>,
    drafts: Pick<DraftStore, 'save'>,
    drawn: PaymentInfo | undefined,
  ) {
    this.#open = open;
    this.#drafts = drafts;
    this.#view = drawn ? { ...initialView, state: 'form', info: drawn } : initialView;
  }

  readonly view = (): PayView => this.#opened?.flow.view() ?? this.#view;

  readonly outcomes = (): Outcomes | undefined => this.#opened?.outcomes;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the code that pays. Called again after it did not come, it tries again. */
  load(): Promise<OpenPay | undefined> {
    this.#opening ??= this.#open().then(
      (opened) => {
        this.#opened = opened;
        opened.flow.subscribe(this.#tell);
        this.#tell();
        return opened;
      },
      () => {
        this.#opening = undefined;
        this.#view = { ...this.#view, isIncomplete: true };
        this.#tell();
        return undefined;
      },
    );
    return this.#opening;
  }

  async submit(submission: PricedSubmission): Promise<void> {
    // The way out is to load the page again: what was typed beside the card is still there then.
    if (submission.draft) this.#drafts.save(submission.draft);
    return (await this.load())?.flow.submit(submission);
  }

  async retry(): Promise<void> {
    return (await this.load())?.flow.retry();
  }

  async resume(): Promise<void> {
    return (await this.load())?.flow.resume();
  }

  startOver(): void {
    this.#opened?.flow.startOver();
  }

  readonly #tell = (): void => {
    for (const listener of this.#listeners) listener();
  };
}
