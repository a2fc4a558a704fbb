/** An element on the page: a container with a frame in it. The page never sees what is typed. */
import { lineBoxPx } from './line-box.ts';
import type { ElementChange, ElementOptions, ElementType, Order, Report } from './protocol.ts';

type Listener = (event: unknown) => void;

const titles: Readonly<Record<ElementType, string>> = {
  card: 'Secure card payment input frame',
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
};

/** Orders as they are before the element numbers them. */
export type Entry = Omit<Extract<Order, { readonly do: 'token' | 'method' }>, 'id'>;

export class CardElement {
  readonly type: ElementType;
  readonly group: string;
  readonly #origin: string;
  #options: ElementOptions;
  #container: HTMLElement | undefined;
  #frame: HTMLIFrameElement | undefined;
  #port: MessagePort | undefined;
  #waiting: Order[] = [];
  #listeners = new Map<string, Set<Listener>>();
  #results = new Map<number, (body: Readonly<Record<string, unknown>>) => void>();
  #asked = 0;
  #destroyed = false;

  constructor(type: ElementType, group: string, origin: string, options: ElementOptions) {
    this.type = type;
    this.group = group;
    this.#origin = origin;
    this.#options = options;
  }

  get _elementType(): ElementType {
    return this.type;
  }

  get isMounted(): boolean {
    return this.#frame !== undefined;
  }

  mount(target: string | HTMLElement): void {
    if (this.#destroyed)
      throw integrationError('This Element has already been destroyed. Please create a new one.');
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (container === null)
      throw integrationError(
        `The selector you specified (${String(target)}) applies to no DOM elements that are currently on the page.`,
      );
    this.unmount();
    const frame = document.createElement('iframe');
    frame.title = titles[this.type];
    frame.src = `${this.#origin}/stripe/v3/frame.html`;
    frame.allow = 'payment *';
    frame.setAttribute('scrolling', 'no');
    const look = {
      border: '0',
      display: 'block',
      width: '100%',
      height: `${lineBoxPx(this.#options.style)}px`,
      // The frame is a light document; on a dark page any other scheme would paint it on a white ground.
      colorScheme: 'light only',
      background: 'transparent',
    };
    Object.assign(frame.style, look);
    frame.addEventListener('load', () => this.#connect(frame));
    container.replaceChildren(frame);
    container.classList.add('StripeElement', 'StripeElement--empty');
    this.#frame = frame;
    this.#container = container;
    if (container.id !== '') {
      for (const label of document.querySelectorAll<HTMLLabelElement>(
        `label[for="${CSS.escape(container.id)}"]`,
      )) {
        label.addEventListener('click', this.#focusFromLabel);
      }
    }
  }

  readonly #focusFromLabel = (): void => this.focus();

  #connect(frame: HTMLIFrameElement): void {
    if (frame !== this.#frame) return;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event: MessageEvent<Report>) => this.#heard(event.data);
    this.#port = port1;
    const hello = { sandbox: 'connect', type: this.type, group: this.group, options: plain(this.#options) };
    frame.contentWindow?.postMessage(hello, this.#origin, [port2]);
    for (const order of this.#waiting) port1.postMessage(order);
    this.#waiting = [];
  }

  #heard(report: Report): void {
    switch (report.event) {
      case 'height':
        if (this.#frame !== undefined && report.height > 0) this.#frame.style.height = `${report.height}px`;
        return;
      case 'change':
        this.#mark(report.change);
        this.#fire('change', { brand: undefined, error: undefined, value: undefined, ...report.change });
        return;
      case 'result':
        this.#results.get(report.id)?.(report.body);
        this.#results.delete(report.id);
        return;
      case 'enter':
        this.#container?.closest('form')?.requestSubmit();
        return;
      case 'focus':
      case 'blur':
        this.#toggle('focus', report.event === 'focus');
        this.#fire(report.event, { elementType: this.type });
        return;
      default:
        this.#fire(report.event, report.event === 'ready' ? this : { elementType: this.type });
    }
  }

  #mark(change: ElementChange): void {
    this.#toggle('empty', change.empty);
    this.#toggle('complete', change.complete);
    this.#toggle('invalid', change.error !== undefined);
  }

  #toggle(state: string, on: boolean): void {
    this.#container?.classList.toggle(this.#options.classes?.[state] ?? `StripeElement--${state}`, on);
  }

  #fire(name: string, event: unknown): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event);
  }

  #order(order: Order): void {
    if (this.#port === undefined) this.#waiting.push(order);
    else this.#port.postMessage(order);
  }

  /** Has the frame turn its number into a token or payment method; resolves with the service's answer. */
  enter(entry: Entry): Promise<Readonly<Record<string, unknown>>> {
    if (this.#frame === undefined)
      throw integrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      );
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      this.#results.set(id, resolve);
      this.#order({ ...entry, id });
    });
  }

  on(name: string, listener: Listener): this {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(listener));
    return this;
  }

  once(name: string, listener: Listener): this {
    const once: Listener = (event) => {
      this.off(name, once);
      listener(event);
    };
    return this.on(name, once);
  }

  off(name: string, listener?: Listener): this {
    if (listener === undefined) this.#listeners.delete(name);
    else this.#listeners.get(name)?.delete(listener);
    return this;
  }

  update(options: ElementOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#order({ do: 'update', options: plain(options) });
  }

  focus(): void {
    // Only a focused frame may focus an input inside it.
    this.#frame?.focus();
    this.#order({ do: 'focus' });
  }

  blur(): void {
    this.#frame?.blur();
    this.#order({ do: 'blur' });
  }

  clear(): void {
    this.#order({ do: 'clear' });
  }

  unmount(): void {
    const { classes } = this.#options;
    const states = ['focus', 'empty', 'complete', 'invalid'].map(
      (state) => classes?.[state] ?? `StripeElement--${state}`,
    );
    this.#container?.classList.remove('StripeElement', ...states);
    this.#frame?.remove();
    this.#port?.close();
    const gone = { error: { type: 'api_error', message: 'The card field was removed before it was read.' } };
    for (const resolve of this.#results.values()) resolve(gone);
    this.#results.clear();
    this.#frame = undefined;
    this.#container = undefined;
    this.#port = undefined;
    this.#waiting = [];
  }

  /** May be called more than once: wrappers do so when a component mounts twice. */
  destroy(): void {
    this.unmount();
    this.#listeners.clear();
    this.#destroyed = true;
  }
}

/** Options as they can be posted: no functions, no class instances. */
function plain(options: ElementOptions): ElementOptions {
  return JSON.parse(JSON.stringify(options)) as ElementOptions;
}

export function integrationError(message: string): Error {
  const error = new Error(message);
  error.name = 'IntegrationError';
  return error;
}
