/**
 * What a message may be given: texts stand as they are, numbers are grouped for the reader's locale. A text in a script
 * that is written from the right is isolated, so that what stands around it keeps its place.
 */
export type MessageValues = Readonly<Record<string, string | number>>;

/**
 * Fills an ICU message: `{name}`, `{count, plural, =0 {…} one {…} other {# …}}` and
 * `{kind, select, a {…} other {…}}`, nested as deep as needed. An apostrophe is
 * always literal (ICU's quoting of braces is not supported: no text of ours shows a brace).
 *
 * @param message ICU text
 * @param values  by argument name; a missing one shows as `{name}` so that the fault is visible
 * @param locale  BCP 47; decides plural category and number grouping
 */
export function formatMessage(message: string, values: MessageValues, locale: string): string {
  return render(message, values, locale, undefined);
}

function render(text: string, values: MessageValues, locale: string, count: number | undefined): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '#' && count !== undefined) {
      out += numberText(count, locale);
    } else if (char === '{') {
      const end = closing(text, at);
      out += argument(text.slice(at + 1, end), values, locale, count);
      at = end;
    } else {
      out += char;
    }
  }
  return out;
}

function argument(body: string, values: MessageValues, locale: string, count: number | undefined): string {
  const [name = '', kind, ...rest] = splitHead(body);
  const value = values[name];
  if (value === undefined) return `{${name}}`;
  if (kind === undefined) return typeof value === 'number' ? numberText(value, locale) : isolated(value);
  const cases = casesOf(rest.join(','));
  if (kind === 'select')
    return render(cases.get(String(value)) ?? cases.get('other') ?? '', values, locale, count);
  const quantity = Number(value);
  const chosen =
    cases.get(`=${quantity}`) ??
    cases.get(new Intl.PluralRules(locale).select(quantity)) ??
    cases.get('other');
  return render(chosen ?? '', values, locale, quantity);
}

const fromTheRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, as `<bdi>` does where there is an element. */
export const isolated = (text: string): string => (fromTheRight.test(text) ? `\u2068${text}\u2069` : text);

const numberText = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

/** `count, plural, one {…}` → ['count', 'plural', ' one {…}']; commas inside the cases stay. */
function splitHead(body: string): string[] {
  const [name = '', kind, ...rest] = body.split(',');
  return kind === undefined ? [name.trim()] : [name.trim(), kind.trim(), ...rest];
}

function casesOf(text: string): Map<string, string> {
  const cases = new Map<string, string>();
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{')) {
    const end = closing(text, at);
    cases.set(text.slice(0, at).trim(), text.slice(at + 1, end));
    text = text.slice(end + 1);
  }
  return cases;
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  throw new SyntaxError(`Unclosed brace in message: ${text}`);
}
