/** The provider's objects behind the inputs, and what they last said. No React: the page calls it too. */
import type {
  Stripe,
  StripeCardCvcElement,
  StripeCardElement,
  StripeCardExpiryElement,
  StripeCardNumberElement,
} from '@stripe/stripe-js';
import type {
  BillingAddress,
  CardEntryConfig,
  CardEntryTexts,
  CardField,
  CardProblem,
  Tokenised,
} from '../../port/browser.ts';
import { elementStyle, onThemeChange } from './element-style.ts';
import { loadScript } from './load-script.ts';

export const defaultTexts: CardEntryTexts = {
  card: 'Card details',
  number: 'Card number',
  expiry: 'Expiry date',
  cvc: 'CVC',
  missingCard: 'Enter your card details',
  missingNumber: 'Enter your card number',
  missingExpiry: 'Enter the expiry date',
  missingCvc: 'Enter the security code',
  slow: 'The card form is taking longer than usual to load',
  failed: 'The card form could not be loaded. Check your connection and try again',
  retry: 'Try again',
  notReady: 'The card form has not loaded yet',
};

type CardElement =
  | StripeCardElement
  | StripeCardNumberElement
  | StripeCardExpiryElement
  | StripeCardCvcElement;

/** One input as it is now. */
export interface FieldState {
  readonly isReady: boolean;
  readonly isFocused: boolean;
  readonly isEmpty: boolean;
  readonly isComplete: boolean;
  readonly error: string;
}

const fresh: FieldState = { isReady: false, isFocused: false, isEmpty: true, isComplete: false, error: '' };

export type FieldStates = Readonly<Partial<Record<CardField, FieldState>>>;

const missingTexts = {
  card: 'missingCard',
  number: 'missingNumber',
  expiry: 'missingExpiry',
  cvc: 'missingCvc',
} as const satisfies Record<CardField, keyof CardEntryTexts>;

/** Inputs by the end of the provider's error codes (`incorrect_number`, `invalid_expiry_year`, `incomplete_cvc`). */
const fieldOfCode = (code: string): CardField | undefined =>
  (['number', 'expiry', 'cvc'] as const).find((field) => code.includes(field));

export class CardSession {
  readonly fields: readonly CardField[];
  texts: CardEntryTexts = defaultTexts;
  /** Told after every change of a field. */
  changed: (fields: FieldStates) => void = () => undefined;
  readonly #config: CardEntryConfig;
  #stripe: Stripe | undefined;
  #elements = new Map<CardField, CardElement>();
  #states: FieldStates = {};

  constructor(config: CardEntryConfig) {
    this.#config = config;
    this.fields = config.separateInputs ? ['number', 'expiry', 'cvc'] : ['card'];
  }

  #set(field: CardField, change: Partial<FieldState>): void {
    this.#states = { ...this.#states, [field]: { ...(this.#states[field] ?? fresh), ...change } };
    this.changed(this.#states);
  }

  /**
   * Loads the script and puts the inputs into their boxes.
   * @param again start over with a script that did not come
   * @returns the way to take them out again; safe to call at any time and more than once
   */
  mount(boxes: ReadonlyMap<CardField, HTMLElement>, again: boolean, failed: () => void): () => void {
    let isOver = false;
    const stops: (() => void)[] = [];
    loadScript(this.#config.scriptUrl, again)
      .then((makeStripe) => {
        if (isOver) return;
        this.#stripe = makeStripe(this.#config.publishableKey, { locale: 'en' });
        const group = this.#stripe.elements({ locale: 'en' });
        for (const field of this.fields) {
          const box = boxes.get(field);
          if (box !== undefined) stops.push(this.#add(field, box, group));
        }
      })
      .catch(() => {
        if (!isOver) failed();
      });
    return () => {
      isOver = true;
      for (const stop of stops.splice(0)) stop();
      this.#states = {};
    };
  }

  #add(field: CardField, box: HTMLElement, group: ReturnType<Stripe['elements']>): () => void {
    const style = elementStyle(box);
    const element = makeElement(group, field, style);
    this.#elements.set(field, element);
    // The four kinds declare the same events apart; they are one and the same here.
    const events = element as StripeCardElement;
    events.on('ready', () => this.#set(field, { isReady: true }));
    events.on('focus', () => this.#set(field, { isFocused: true }));
    events.on('blur', () => this.#set(field, { isFocused: false }));
    events.on('change', (event) =>
      this.#set(field, {
        isEmpty: event.empty,
        isComplete: event.complete,
        error: event.error?.message ?? '',
      }),
    );
    events.mount(box);
    const stopTheme = onThemeChange(() => events.update({ style: elementStyle(box) }));
    return () => {
      stopTheme();
      this.#elements.delete(field);
      events.destroy();
    };
  }

  disable(disabled: boolean): void {
    for (const element of this.#elements.values()) (element as StripeCardElement).update({ disabled });
  }

  focus(field: CardField): void {
    (this.#elements.get(field) ?? this.#elements.get('card'))?.focus();
  }

  problems(): readonly CardProblem[] {
    const problems: CardProblem[] = [];
    for (const field of this.fields) {
      const state = this.#states[field] ?? fresh;
      if (state.isComplete && state.error === '') continue;
      const text =
        state.error || (this.#elements.has(field) ? this.texts[missingTexts[field]] : this.texts.notReady);
      this.#set(field, { error: text });
      problems.push({ field, text });
    }
    return problems;
  }

  async tokenise(holder: string, billing: Partial<BillingAddress> = {}): Promise<Tokenised> {
    const element = this.#elements.get('number') ?? this.#elements.get('card');
    if (this.#stripe === undefined || element === undefined) return { error: this.texts.notReady };
    try {
      const { token, error } = await this.#stripe.createToken(element as StripeCardElement, {
        ...(holder === '' ? {} : { name: holder }),
        ...addressOf(billing),
      });
      if (token !== undefined) return { token: token.id };
      return this.#refused(error.code ?? '', error.message ?? this.texts.failed);
    } catch {
      return { error: this.texts.failed };
    }
  }

  #refused(code: string, text: string): Tokenised {
    const named = fieldOfCode(code);
    if (named === undefined) return { error: text };
    const field = this.fields.includes(named) ? named : 'card';
    this.#set(field, { error: text });
    return { error: text, field };
  }
}

/** What is given of the address; an empty member would be refused. */
function addressOf(billing: Partial<BillingAddress>): Readonly<Record<string, string>> {
  const { address, city, state, zip, country } = billing;
  const members = {
    address_line1: address,
    address_city: city,
    address_state: state,
    address_zip: zip,
    address_country: country,
  };
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );
}

function makeElement(
  group: ReturnType<Stripe['elements']>,
  field: CardField,
  style: ReturnType<typeof elementStyle>,
): CardElement {
  switch (field) {
    case 'card':
      // The page asks for the address itself, and a wallet would leave its own trace on a white-label page.
      return group.create('card', { style, hidePostalCode: true, disableLink: true });
    case 'number':
      return group.create('cardNumber', { style, showIcon: true, disableLink: true });
    case 'expiry':
      return group.create('cardExpiry', { style });
    case 'cvc':
      return group.create('cardCvc', { style });
  }
}
