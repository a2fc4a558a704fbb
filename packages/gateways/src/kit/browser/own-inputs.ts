import type { EntryProblem } from '../../port/browser.ts';

type Control = HTMLInputElement | HTMLSelectElement;

/** One input of our own. */
export interface OwnField {
  readonly name: string;
  readonly label: string;
  readonly optional?: boolean;
  /** A list instead of a text, by value and word. */
  readonly choices?: readonly (readonly [value: string, word: string])[];
  /** Attributes of the control: what a browser may fill in, which keys a phone shows. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** Brings what was typed into its form ('4242 4242'). */
  readonly format?: (text: string) => string;
  /** What is wrong with it; undefined: nothing. @param textOf any other input as it stands */
  readonly problem: (text: string, textOf: (name: string) => string) => string | undefined;
  /** Stands half as wide, beside the one before or after it. */
  readonly half?: boolean;
}

/**
 * The inputs of one entry as they stand in the document. What is typed is read from there when it is needed and kept
 * nowhere else: neither in a component's state, nor after the inputs are gone.
 */
export class OwnInputs {
  readonly fields: readonly OwnField[];
  /** Called after every change of an error or of what is typed. */
  changed: () => void = () => undefined;
  readonly #controls = new Map<string, Control>();
  #errors: Readonly<Record<string, string>> = {};

  constructor(fields: readonly OwnField[]) {
    this.fields = fields;
  }

  /** Takes an input in, or out with null. */
  place(name: string, control: Control | null): void {
    if (control === null) this.#controls.delete(name);
    else this.#controls.set(name, control);
  }

  readonly textOf = (name: string): string => this.#controls.get(name)?.value ?? '';

  errorOf(name: string): string | undefined {
    return this.#errors[name];
  }

  /** All inputs are filled in and valid, and nothing stands against one: what a provider refused is typed again first. */
  get isComplete(): boolean {
    const isGood = (field: OwnField) =>
      this.#problemOf(field) === undefined && this.#errors[field.name] === undefined;
    return this.#controls.size > 0 && this.fields.every(isGood);
  }

  /** After a key: groups what was typed, and takes an error away that is mended. @param isAdded text came, none was deleted */
  typed(field: OwnField, isAdded: boolean): void {
    const control = this.#controls.get(field.name);
    if (field.format !== undefined && isAdded && control !== undefined && 'setSelectionRange' in control)
      regroup(control, field.format);
    if (this.#errors[field.name] !== undefined && this.#problemOf(field) === undefined)
      this.#say(field.name, undefined);
    this.changed();
  }

  /** After an input was left: what is wrong is said; what is empty may still be filled in. */
  left(field: OwnField): void {
    if (this.textOf(field.name).trim() !== '') this.#say(field.name, this.#problemOf(field));
    this.changed();
  }

  problems(): readonly EntryProblem[] {
    const found = this.fields.flatMap((field) => {
      const text = this.#problemOf(field);
      this.#say(field.name, text);
      return text === undefined ? [] : [{ field: field.name, text }];
    });
    this.changed();
    return found;
  }

  /** Shows what the provider says against an input, where it is one of these. */
  refuse(name: string, text: string): void {
    if (this.#controls.has(name)) this.#say(name, text);
    this.changed();
  }

  focus(name: string): void {
    (this.#controls.get(name) ?? this.#controls.get(this.fields[0]?.name ?? ''))?.focus();
  }

  #problemOf(field: OwnField): string | undefined {
    return field.problem(this.textOf(field.name), this.textOf);
  }

  #say(name: string, text: string | undefined): void {
    const { [name]: _before, ...others } = this.#errors;
    this.#errors = text === undefined ? others : { ...others, [name]: text };
  }
}

/** Formats in place; the cursor stays behind the same digit. */
function regroup(input: HTMLInputElement, format: (text: string) => string): void {
  const { value, selectionStart } = input;
  const text = format(value);
  if (text === value) return;
  const place = selectionStart ?? value.length;
  const isAtEnd = place === value.length;
  const digits = value.slice(0, place).replace(/\D/g, '').length;
  input.value = text;
  if (isAtEnd || input !== input.ownerDocument.activeElement) return;
  let at = 0;
  for (let seen = 0; at < text.length && seen < digits; at += 1) if (/\d/.test(text[at] ?? '')) seen += 1;
  input.setSelectionRange(at, at);
}
