import { personOf } from './claims.ts';
import { onSessionEnd } from './leave.ts';
import { type KeyValueStorage, sharedStorage, storageKeys } from './session-store.ts';
import { tabStorage } from './tab-storage.ts';

/**
 * What was typed survives the end of a session: this tab keeps it, and fills it in again once the same person is signed
 * in again and the same form is shown. It works on whatever stands on the page, so that no form has to know of it.
 * Never kept: passwords, codes, numbers of cards and bank accounts (`data-keep="never"`), and what has a card's digits.
 */
interface Kept {
  readonly person: string;
  readonly path: string;
  /** Value of a control by its name, see {@link nameOf}. */
  readonly fields: Readonly<Record<string, string>>;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const key = 'counterfoil.typed';
const controls = 'input, select, textarea';
const withoutText: ReadonlySet<string> = new Set(['password', 'file', 'submit', 'button', 'image', 'reset']);
const secretFill = /^(cc-(?!name)|one-time-code|current-password|new-password)/;
/** As many digits as the shortest card number has. */
const CARD_DIGITS = 13;

const touched = new WeakSet<Control>();

/** Whether a control may be kept at all. */
function mayKeep(control: Control): boolean {
  if (control.dataset['keep'] === 'never' || withoutText.has(control.type)) return false;
  // A hidden one stands for what was chosen in a list.
  if (control.type === 'hidden' && control.dataset['keep'] !== 'choice') return false;
  if (control.getAttribute('role') === 'combobox' || secretFill.test(control.autocomplete)) return false;
  return control.value.replaceAll(/\D/g, '').length < CARD_DIGITS;
}

const isTicked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type);

const formOf = (control: Control): Element | null => control.closest('dialog, form');
const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';

/** The same after a new load: the form by its title, the control by its label. Ids are made again by each page. */
function nameOf(control: Control): string {
  const form = formOf(control);
  const title = textOf(form?.querySelector('h1, h2')) || (form?.getAttribute('aria-label') ?? '');
  const label = control.labels?.[0] ? textOf(control.labels[0]) : control.getAttribute('aria-label');
  const choice = isTicked(control) ? control.value : '';
  return JSON.stringify([title, label ?? '', control.name, choice]);
}

/** Controls of the forms in which something was typed, and those of no form into which it was. */
function typedControls(): Control[] {
  const all = [...document.querySelectorAll<Control>(`main :is(${controls}), dialog :is(${controls})`)];
  const forms = new Set(all.filter((one) => touched.has(one)).map(formOf));
  return all.filter((one) => {
    const form = formOf(one);
    return form === null ? touched.has(one) : forms.has(form);
  });
}

/** Keeps what stands in the forms of this page for the person it was loaded for. */
function keepTyped(person: string | undefined, storage: KeyValueStorage): void {
  const fields = Object.fromEntries(
    typedControls()
      .filter(mayKeep)
      .map((one) => [nameOf(one), isTicked(one) ? String(one.checked) : one.value]),
  );
  if (person === undefined || Object.keys(fields).length === 0) return;
  const kept: Kept = { person, path: globalThis.location.pathname, fields };
  storage.setItem(key, JSON.stringify(kept));
}

/** What this tab keeps for a person; somebody else's is removed unseen. */
function takeTyped(person: string | undefined, storage: KeyValueStorage): Kept | undefined {
  const text = storage.getItem(key);
  storage.removeItem(key);
  try {
    const kept = JSON.parse(text ?? 'null') as Kept | null;
    return kept !== null && person !== undefined && kept.person === person ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Follows what is typed on this page, and fills in what the same person had typed before the last session ended. */
export function followTyped(): void {
  const person = personOf(sharedStorage.getItem(storageKeys.auth) ?? '');
  const storage = tabStorage();
  onSessionEnd(() => keepTyped(person, storage));
  const note = ({ target }: Event): void => {
    if (target instanceof Element && target.matches(controls)) touched.add(target as Control);
  };
  document.addEventListener('input', note, true);
  document.addEventListener('change', note, true);
  const kept = takeTyped(person, storage);
  if (kept !== undefined) fillIn(kept);
}

/** Fills the forms in as they come, each control once, and nothing that was typed into since. */
function fillIn({ path, fields }: Kept): void {
  const left = new Map(Object.entries(fields));
  const look = (): void => {
    if (globalThis.location.pathname !== path) return;
    for (const control of document.querySelectorAll<Control>(
      `main :is(${controls}), dialog :is(${controls})`,
    )) {
      const value = left.get(nameOf(control));
      if (value === undefined || !mayKeep(control)) continue;
      const isTaken = !touched.has(control) && put(control, value);
      if (isTaken || touched.has(control)) left.delete(nameOf(control));
      // One at a time: a form that holds two fields in one value must have drawn the first before the second comes.
      if (isTaken) return void setTimeout(look);
    }
    if (left.size === 0) watcher.disconnect();
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document.body, { childList: true, subtree: true });
}

/** As if it was typed, so that the page learns of it. @returns whether it could be: a list may still be loading */
function put(control: Control, value: string): boolean {
  // It counts as typed: the session may end once more.
  touched.add(control);
  if (isTicked(control)) {
    if (String(control.checked) !== value) control.click();
    return true;
  }
  if (control.value === value) return true;
  const isChoice = control instanceof HTMLSelectElement;
  if (isChoice && ![...control.options].some((option) => option.value === value)) {
    touched.delete(control);
    return false;
  }
  // React keeps a setter of its own on the element; the prototype's tells it that somebody typed.
  const prototype = Object.getPrototypeOf(control) as Control;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value);
  control.dispatchEvent(new Event(isChoice ? 'change' : 'input', { bubbles: true }));
  return true;
}
