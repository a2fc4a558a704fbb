/** The provider's objects behind the inputs, and what they last said. No React: the page calls it too. */
import type {
  Stripe,
  StripeCardCvcElement,
  StripeCardElement,
  StripeCardExpiryElement,
  StripeCardNumberElement,
} from '@stripe/stripe-js';
import type { FieldState, FieldStates, ProviderSession } from '../../kit/browser/provider-session.ts';
import { words } from '../../kit/browser/words.ts';
import type { BillingOwner, Entered, EntryConfig, EntryProblem } from '../../port/browser.ts';
import { elementStyle, onThemeChange, openStripe } from './stripe-script.ts';

/** The provider's inputs: one for all, or three. */
export type CardField = 'card' | 'number' | 'expiry' | 'cvc';

type CardElement =
  | StripeCardElement
  | StripeCardNumberElement
  | StripeCardExpiryElement
  | StripeCardCvcElement;

const fresh: FieldState = { isReady: false, isFocused: false, isEmpty: true, isComplete: false, error: '' };

const missingTexts = {
  card: 'missingCard',
  number: 'missingNumber',
  expiry: 'missingExpiry',
  cvc: 'missingCvc',
} as const satisfies Record<CardField, keyof typeof words>;

/** Inputs by the end of the provider's error codes (`incorrect_number`, `invalid_expiry_year`, `incomplete_cvc`). */
const fieldOfCode = (code: string): CardField | undefined =>
  (['number', 'expiry', 'cvc'] as const).find((field) => code.includes(field));

export class CardSession implements ProviderSession {
  readonly fields: readonly CardField[];
  readonly labels = words;
  changed: (fields: FieldStates) => void = () => undefined;
  readonly #config: EntryConfig;
  #stripe: Stripe | undefined;
  #elements = new Map<CardField, CardElement>();
  #states: FieldStates = {};

  constructor(config: EntryConfig) {
    this.#config = config;
    this.fields = config.separateInputs ? ['number', 'expiry', 'cvc'] : ['card'];
  }

  #set(field: CardField, change: Partial<FieldState>): void {
    this.#states = { ...this.#states, [field]: { ...(this.#states[field] ?? fresh), ...change } };
    this.changed(this.#states);
  }

  mount(boxes: ReadonlyMap<string, HTMLElement>, again: boolean, failed: () => void): () => void {
    let isOver = false;
    const stops: (() => void)[] = [];
    openStripe(this.#config, again)
      .then((stripe) => {
        if (isOver) return;
        this.#stripe = stripe;
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

  focus(field: string): void {
    const named = this.fields.find((one) => one === field) ?? this.fields[0] ?? 'card';
    this.#elements.get(named)?.focus();
  }

  problems(): readonly EntryProblem[] {
    const problems: EntryProblem[] = [];
    for (const field of this.fields) {
      const state = this.#states[field] ?? fresh;
      if (state.isComplete && state.error === '') continue;
      const text = state.error || (this.#elements.has(field) ? words[missingTexts[field]] : words.notReady);
      this.#set(field, { error: text });
      problems.push({ field, text });
    }
    return problems;
  }

  async submit(owner: BillingOwner): Promise<Entered> {
    const element = this.#elements.get('number') ?? this.#elements.get('card');
    if (this.#stripe === undefined || element === undefined) return { error: words.notReady };
    try {
      const { token, error } = await this.#stripe.createToken(element as StripeCardElement, {
        ...given(owner),
      });
      if (token !== undefined) return { token: token.id };
      return this.#refused(error.code ?? '', error.message ?? words.failed);
    } catch {
      return { error: words.failed };
    }
  }

  #refused(code: string, text: string): Entered {
    const named = fieldOfCode(code);
    if (named === undefined) return { error: text };
    const field = this.fields.includes(named) ? named : 'card';
    this.#set(field, { error: text });
    return { error: text, field };
  }
}

/** What is given of the owner; an empty member would be refused. */
function given({ name, billing = {} }: BillingOwner): Readonly<Record<string, string>> {
  const members = {
    name,
    address_line1: billing.line1,
    address_city: billing.city,
    address_state: billing.state,
    address_zip: billing.postalCode,
    address_country: billing.country,
  };
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, value]) => (value ? [[member, value] as const] : [])),
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
