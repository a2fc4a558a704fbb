/** BPOINT's script, and the inputs it puts into a page. No React: the page calls it too. https://www.bpoint.com.au/developers */
import type { FieldState, FieldStates, ProviderSession } from '../kit/browser/provider-session.ts';
import { loadScript } from '../kit/browser/script-loader.ts';
import { words } from '../kit/browser/words.ts';
import type { Entered, EntryProblem } from '../port/browser.ts';

/** What the script says against a method. */
export interface Refusal {
  readonly message?: string;
  readonly details?: readonly { readonly message?: string; readonly field?: string }[];
}
type Done = (code: string, data: Refusal) => void;
interface Controller {
  submit(done: Done): void;
}
interface Place {
  readonly selector: string;
}
interface FieldsOptions {
  readonly card: {
    readonly number: Place;
    readonly expiry: { readonly month: Place; readonly year: Place };
    readonly cvn: Place;
    readonly name: Place;
  };
  onFormLoaded(controller: Controller): void;
}
interface OfAuthkey {
  attachPaymentMethod(authkey: string, method: object, done: Done): void;
  setupIframeFields(authkey: string, options: FieldsOptions): void;
}
/** What the script brings. */
type Bpoint = Readonly<Record<'txn' | 'token', { readonly authkey: OfAuthkey }>>;

export const present = (): Bpoint | undefined => (globalThis as { readonly BPOINT?: Bpoint }).BPOINT;

/** What a payer reads of a refusal: the first detail, else the message (payments §8). */
export const textOf = ({ details, message }: Refusal): string =>
  details?.[0]?.message ?? message ?? words.unreachable;

const fields = ['number', 'month', 'year', 'cvc', 'name'] as const;
type Field = (typeof fields)[number];

/** Inputs by the end of what a detail calls them (`card.number`, `card.expiry`, `cvn`). */
const byDetail: Readonly<Record<string, Field>> = {
  number: 'number',
  expiry: 'month',
  month: 'month',
  year: 'year',
  cvn: 'cvc',
  name: 'name',
};

/** The script says nothing of what stands in its inputs until they are sent. */
const loaded: FieldState = { isReady: true, isFocused: false, isEmpty: false, isComplete: true, error: '' };

/** Longest wait for what becomes of the inputs, milliseconds. */
const ANSWER_MS = 30_000;

let forms = 0;

/** The provider's inputs for the auth key of one entry; a card is attached to it when they are sent. */
export class FieldsSession implements ProviderSession {
  readonly fields = fields;
  readonly labels = {
    number: words.number,
    month: 'Expiry month',
    year: 'Expiry year',
    cvc: words.cvc,
    name: 'Name on card',
  };
  changed: (states: FieldStates) => void = () => undefined;
  readonly #scriptUrl: string;
  readonly #authkey: string;
  readonly #of: 'txn' | 'token';
  #boxes: ReadonlyMap<string, HTMLElement> = new Map();
  #controller: Controller | undefined;

  /** @param config of the action that the entry was prepared with */
  constructor(scriptUrl: string, { authkey = '', of }: Readonly<Record<string, string>>) {
    this.#scriptUrl = scriptUrl;
    this.#authkey = authkey;
    this.#of = of === 'token' ? 'token' : 'txn';
  }

  #tell(wrong?: Field, error = ''): void {
    const states = fields.map((field) => [field, field === wrong ? { ...loaded, error } : loaded] as const);
    this.changed(Object.fromEntries(states));
  }

  mount(boxes: ReadonlyMap<string, HTMLElement>, again: boolean, failed: () => void): () => void {
    let isOver = false;
    forms += 1;
    const place = (field: Field): Place => {
      const box = boxes.get(field);
      if (box === undefined) throw new TypeError(`there is no place for ${field}`);
      box.id = `bpoint-${forms}-${field}`;
      return { selector: `#${box.id}` };
    };
    loadScript(this.#scriptUrl, present, { again })
      .then((api) => {
        if (isOver) return;
        this.#boxes = boxes;
        api[this.#of].authkey.setupIframeFields(this.#authkey, {
          card: {
            number: place('number'),
            expiry: { month: place('month'), year: place('year') },
            cvn: place('cvc'),
            name: place('name'),
          },
          onFormLoaded: (controller) => {
            if (isOver) return;
            this.#controller = controller;
            this.#tell();
          },
        });
      })
      .catch(() => {
        if (!isOver) failed();
      });
    return () => {
      isOver = true;
      this.#controller = undefined;
      for (const box of boxes.values()) box.replaceChildren();
    };
  }

  /** The script has no word for it: what was sent cannot be reached meanwhile. */
  disable(disabled: boolean): void {
    for (const box of this.#boxes.values()) box.inert = disabled;
  }

  focus(field: string): void {
    const named = fields.find((one) => one === field) ?? 'number';
    this.#boxes.get(named)?.querySelector('iframe')?.focus();
  }

  problems(): readonly EntryProblem[] {
    return this.#controller === undefined ? [{ field: 'number', text: words.notReady }] : [];
  }

  /** Attaches what was typed to the auth key, which is the token then. Never rejects. */
  submit(): Promise<Entered> {
    const controller = this.#controller;
    if (controller === undefined) return Promise.resolve({ error: words.notReady });
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve({ error: words.unreachable }), ANSWER_MS);
      controller.submit((code, data) => {
        clearTimeout(late);
        if (code === 'success') return resolve({ token: this.#authkey });
        const field = byDetail[data.details?.[0]?.field?.split('.').at(-1) ?? ''];
        this.#tell(field, textOf(data));
        resolve({ error: textOf(data), ...(field && { field }) });
      });
    });
  }
}
