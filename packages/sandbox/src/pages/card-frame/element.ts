/** An element on the page: a container with a frame in it. The page never sees what is typed. */

import type { FieldName } from './card-rules.ts';
import { lineBoxPx } from './line-box.ts';
import type { Connect, Destination, FieldChange, FieldOptions, Order, Report } from './protocol.ts';

type Listener = (event: unknown) => void;

/** What a provider's script calls its fields, and where their frame is. */
export interface ElementLook {
  /** Address of the page with the inputs, at the sandbox. */
  readonly frameUrl: string;
  /** By the element's type: its inputs, and the frame's title. */
  readonly types: Readonly<Record<string, { readonly fields: readonly FieldName[]; readonly title: string }>>;
  /** Class of the container; states follow it, as in `Name--empty`. */
  readonly className: string;
}

export class CardElement {
  readonly type: string;
  readonly group: string;
  readonly #look: ElementLook;
  #options: FieldOptions;
  #container: HTMLElement | undefined;
  #frame: HTMLIFrameElement | undefined;
  #port: MessagePort | undefined;
  #waiting: Order[] = [];
  #listeners = new Map<string, Set<Listener>>();
  #results = new Map<number, (body: Readonly<Record<string, unknown>>) => void>();
  #asked = 0;
  #destroyed = false;

  constructor(type: string, group: string, look: ElementLook, options: FieldOptions) {
    this.type = type;
    this.group = group;
    this.#look = look;
    this.#options = options;
  }

  get _elementType(): string {
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
    frame.title = this.#look.types[this.type]?.title ?? '';
    frame.src = this.#look.frameUrl;
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
    container.classList.add(this.#look.className, `${this.#look.className}--empty`);
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
    const hello: Connect = {
      sandbox: 'connect',
      type: this.type,
      fields: this.#look.types[this.type]?.fields ?? [],
      group: this.group,
      options: plain(this.#options),
    };
    frame.contentWindow?.postMessage(hello, new URL(this.#look.frameUrl).origin, [port2]);
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

  #mark(change: FieldChange): void {
    this.#toggle('empty', change.empty);
    this.#toggle('complete', change.complete);
    this.#toggle('invalid', change.error !== undefined);
  }

  #toggle(state: string, on: boolean): void {
    this.#container?.classList.toggle(
      this.#options.classes?.[state] ?? `${this.#look.className}--${state}`,
      on,
    );
  }

  #fire(name: string, event: unknown): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event);
  }

  #order(order: Order): void {
    if (this.#port === undefined) this.#waiting.push(order);
    else this.#port.postMessage(order);
  }

  /** Has the frame send its card; resolves with the sandbox's answer, or with `{ error }`. */
  send(to: Destination): Promise<Readonly<Record<string, unknown>>> {
    if (this.#frame === undefined)
      throw integrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      );
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      this.#results.set(id, resolve);
      this.#order({ do: 'send', id, to });
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

  update(options: FieldOptions): void {
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
      (state) => classes?.[state] ?? `${this.#look.className}--${state}`,
    );
    this.#container?.classList.remove(this.#look.className, ...states);
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
function plain(options: FieldOptions): FieldOptions {
  return JSON.parse(JSON.stringify(options)) as FieldOptions;
}

export function integrationError(message: string): Error {
  const error = new Error(message);
  error.name = 'IntegrationError';
  return error;
}
