/**
 * Inside the frame: the real inputs. The number leaves this document only in a request to the sandbox itself;
 * the page around it sees brand, completeness and errors.
 */
import {
  brandOf,
  cvcLengthOf,
  digitsOf,
  type FieldName,
  type FieldState,
  formatExpiry,
  formatNumber,
  incomplete,
  stateOfCvc,
  stateOfExpiry,
  stateOfNumber,
} from './card-rules.ts';
import { applyStyle } from './frame-style.ts';
import type { Connect, Destination, FieldChange, FieldOptions, Order, Report } from './protocol.ts';

interface Field {
  readonly name: FieldName;
  readonly input: HTMLInputElement;
  touched: boolean;
}

interface Siblings extends Window {
  sandboxFields?: { readonly group: string; readonly value: (name: FieldName) => string | undefined };
}

const labels: Readonly<Record<FieldName, string>> = {
  number: 'Card number',
  expiry: 'Expiry date, month and year',
  cvc: 'Security code, CVC',
};
const placeholders: Readonly<Record<FieldName, string>> = {
  number: '1234 1234 1234 1234',
  expiry: 'MM / YY',
  cvc: 'CVC',
};
const autofill: Readonly<Record<FieldName, string>> = {
  number: 'cc-number',
  expiry: 'cc-exp',
  cvc: 'cc-csc',
};
const longest: Readonly<Record<FieldName, number>> = { number: 24, expiry: 9, cvc: 4 };

function makeField(name: FieldName, placeholder: string | undefined): Field {
  const input = document.createElement('input');
  input.className = name;
  input.name = autofill[name];
  input.id = autofill[name];
  input.type = 'text';
  input.inputMode = 'numeric';
  input.autocomplete = autofill[name] as AutoFill;
  input.placeholder = placeholder ?? placeholders[name];
  input.maxLength = longest[name];
  input.spellcheck = false;
  input.setAttribute('aria-label', labels[name]);
  input.setAttribute('aria-required', 'true');
  return { name, input, touched: false };
}

function start(connect: Connect, port: MessagePort): void {
  const form = document.querySelector('form');
  const message = document.querySelector('#message');
  if (form === null || message === null) return;
  const names = connect.fields;
  let options: FieldOptions = connect.options;
  const fields = names.map((name) => makeField(name, names.length === 1 ? options.placeholder : undefined));
  form.classList.toggle('alone', fields.length === 1);
  form.replaceChildren(...fields.map((field) => field.input));
  const tell = (report: Report): void => port.postMessage(report);
  let last = '';

  const own: NonNullable<Siblings['sandboxFields']> = {
    group: connect.group,
    value: (name) => fields.find((field) => field.name === name)?.input.value,
  };
  (window as Siblings).sandboxFields = own;

  /** A value of this form, which in split form lies in a sibling frame of the same origin. */
  function entered(name: FieldName): string | undefined {
    const here = own.value(name);
    if (here !== undefined) return here;
    for (let index = 0; index < window.parent.length; index += 1) {
      try {
        const sibling = (window.parent[index] as Siblings | undefined)?.sandboxFields;
        const value = sibling?.group === connect.group ? sibling.value(name) : undefined;
        if (value !== undefined) return value;
      } catch {
        // A frame of another origin: not ours.
      }
    }
    return undefined;
  }

  function stateOf(field: Field): FieldState {
    switch (field.name) {
      case 'number':
        return stateOfNumber(field.input.value);
      case 'expiry':
        return stateOfExpiry(field.input.value, new Date());
      case 'cvc':
        return stateOfCvc(field.input.value, digitsOf(entered('number') ?? ''));
    }
  }

  function refresh(): void {
    const states = fields.map((field) => ({ field, state: stateOf(field) }));
    const wrong = states.map(({ field, state }) => ({
      field,
      error: state.error ?? (field.touched && !state.empty ? state.unfinished : undefined),
    }));
    const error = wrong.find((entry) => entry.error !== undefined)?.error;
    const change: FieldChange = {
      elementType: connect.type,
      empty: states.every(({ state }) => state.empty),
      complete: states.every(({ state }) => state.complete),
      ...(names.includes('number') ? { brand: brandOf(digitsOf(own.value('number') ?? '')).name } : {}),
      ...(error === undefined ? {} : { error }),
    };
    for (const entry of wrong) {
      entry.field.input.setAttribute('aria-invalid', String(entry.error !== undefined));
      if (entry.error === undefined) entry.field.input.removeAttribute('aria-describedby');
      else entry.field.input.setAttribute('aria-describedby', 'message');
      applyStyle(
        entry.field.input,
        options.style,
        entry.error !== undefined
          ? 'invalid'
          : change.complete
            ? 'complete'
            : change.empty
              ? 'empty'
              : 'base',
      );
    }
    if (message !== null) message.textContent = error?.message ?? '';
    const text = JSON.stringify(change);
    if (text !== last) tell({ event: 'change', change });
    last = text;
  }

  function format(field: Field): void {
    const { input, name } = field;
    const before = input.value;
    const atEnd = input.selectionStart === before.length;
    const digitsLeft = digitsOf(before.slice(0, input.selectionStart ?? before.length)).length;
    const next =
      name === 'number'
        ? formatNumber(before)
        : name === 'expiry'
          ? formatExpiry(before)
          : digitsOf(before).slice(0, cvcLengthOf(digitsOf(entered('number') ?? '')));
    if (next === before) return;
    input.value = next;
    if (atEnd) return;
    let position = 0;
    for (let seen = 0; position < next.length && seen < digitsLeft; position += 1)
      if (/\d/.test(next[position] ?? '')) seen += 1;
    input.setSelectionRange(position, position);
  }

  for (const [index, field] of fields.entries()) {
    field.input.disabled = options.disabled ?? false;
    field.input.addEventListener('input', (event) => {
      // Deleting the slash must not bring it back at once.
      const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
      if (!(deleting && field.name === 'expiry')) format(field);
      refresh();
      const atEnd = field.input.selectionStart === field.input.value.length;
      if (!deleting && atEnd && stateOf(field).complete) fields[index + 1]?.input.focus();
    });
    field.input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') tell({ event: 'enter' });
      if (event.key === 'Escape') tell({ event: 'escape' });
      if (event.key === 'Backspace' && field.input.value === '') fields[index - 1]?.input.focus();
    });
    field.input.addEventListener('focus', () => tell({ event: 'focus' }));
    field.input.addEventListener('blur', () => {
      field.touched = true;
      refresh();
      // Moving between the fields of one element is no blur of the element.
      setTimeout(() => {
        if (!fields.some((other) => other.input === document.activeElement && document.hasFocus()))
          tell({ event: 'blur' });
      }, 0);
    });
  }
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('click', (event) => {
    if (event.target === form) fields[0]?.input.focus();
  });

  function cardFields(names: Destination['names']): Record<string, string> | { readonly error: object } {
    const number = digitsOf(entered('number') ?? '');
    const expiry = entered('expiry') ?? '';
    const cvc = digitsOf(entered('cvc') ?? '');
    const checks = [stateOfNumber(number), stateOfExpiry(expiry, new Date()), stateOfCvc(cvc, number)];
    for (const [index, state] of checks.entries()) {
      const error = state.error ?? state.unfinished;
      if (state.complete) continue;
      const name = (['number', 'expiry', 'cvc'] as const)[index] ?? 'number';
      return { error: error ?? incomplete[name] };
    }
    const [month = '', year = ''] = expiry.split('/').map(digitsOf);
    return {
      [names.number]: number,
      [names.month]: String(Number(month)),
      [names.year]: `20${year}`,
      [names.cvc]: cvc,
    };
  }

  async function send({ id, to }: Extract<Order, { readonly do: 'send' }>): Promise<void> {
    const card = cardFields(to.names);
    for (const field of fields) field.touched = true;
    refresh();
    if ('error' in card && typeof card.error === 'object') {
      tell({ event: 'result', id, body: { error: card.error } });
      return;
    }
    const body = new URLSearchParams({ ...to.extra, ...(card as Record<string, string>) });
    try {
      const answer = await fetch(
        new URL(new URL(to.path, window.location.href).pathname, window.location.origin),
        {
          method: 'POST',
          body,
        },
      );
      tell({ event: 'result', id, body: (await answer.json()) as Record<string, unknown> });
    } catch {
      const error = {
        type: 'api_connection_error',
        message: 'We could not reach the payment provider. Please try again.',
      };
      tell({ event: 'result', id, body: { error } });
    }
  }

  port.onmessage = (event: MessageEvent<Order>) => {
    const order = event.data;
    switch (order.do) {
      case 'focus':
        (fields.find((field) => !stateOf(field).complete) ?? fields[0])?.input.focus();
        break;
      case 'blur':
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        break;
      case 'clear':
        for (const field of fields) {
          field.input.value = '';
          field.touched = false;
        }
        refresh();
        break;
      case 'update':
        options = { ...options, ...order.options };
        for (const field of fields) {
          field.input.disabled = options.disabled ?? false;
          if (fields.length === 1 && options.placeholder !== undefined)
            field.input.placeholder = options.placeholder;
        }
        refresh();
        tellHeight();
        break;
      case 'send':
        void send(order);
        break;
    }
  };

  function tellHeight(): void {
    tell({ event: 'height', height: Math.ceil(form?.getBoundingClientRect().height ?? 0) });
  }

  for (const { input } of fields) applyStyle(input, options.style, 'empty');
  refresh();
  tellHeight();
  tell({ event: 'ready' });
}

window.addEventListener('message', (event: MessageEvent<Partial<Connect>>) => {
  const port = event.ports[0];
  if (event.source !== window.parent || event.data.sandbox !== 'connect' || port === undefined) return;
  start(event.data as Connect, port);
});
