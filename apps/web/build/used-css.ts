/** Names that CSS Modules makes: `_slip_1ck64_19`. They stand in the code of what uses them, and nowhere else. */
const moduleClass = /\._[\w-]+/g;

interface Block {
  /** Selector list or at-rule with its parameters; a whole statement where there is no body. */
  readonly head: string;
  readonly body: string | undefined;
}

/**
 * The rules of a minified style sheet that a page can need: all but those whose selectors name only classes of CSS
 * Modules that its code does not. Sheets have no braces or semicolons in strings.
 * @param code all JavaScript the page may load
 */
export function usedCss(sheet: string, code: string): string {
  const isUsed = (selector: string): boolean => {
    const classes = selector.match(moduleClass) ?? [];
    return classes.every((name) => code.includes(name.slice(1)));
  };
  const keep = ({ head, body }: Block): string => {
    if (body === undefined) return head;
    if (/^@(?:media|supports|layer|container)/.test(head)) {
      const inner = blocksOf(body).map(keep).join('');
      return inner === '' ? '' : `${head}{${inner}}`;
    }
    if (head.startsWith('@')) return `${head}{${body}}`;
    const selectors = selectorsOf(head).filter(isUsed);
    return selectors.length === 0 ? '' : `${selectors.join(',')}{${body}}`;
  };
  const kept = blocksOf(sheet).map(keep).join('');
  return blocksOf(kept)
    .filter(
      ({ head }) => !head.startsWith('@keyframes') || isNamedBeside(head.slice('@keyframes '.length), kept),
    )
    .map(textOf)
    .join('');
}

const textOf = ({ head, body }: Block): string => (body === undefined ? head : `${head}{${body}}`);

const isNamedBeside = (name: string, sheet: string): boolean => sheet.split(name).length > 2;

function blocksOf(sheet: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (let at = 0; at < sheet.length; at++) {
    if (sheet[at] === ';') {
      blocks.push({ head: sheet.slice(from, at + 1), body: undefined });
      from = at + 1;
    } else if (sheet[at] === '{') {
      const end = closing(sheet, at);
      blocks.push({ head: sheet.slice(from, at).trim(), body: sheet.slice(at + 1, end) });
      at = end;
      from = end + 1;
    }
  }
  return blocks;
}

function closing(sheet: string, open: number): number {
  let depth = 0;
  for (let at = open; at < sheet.length; at++) {
    if (sheet[at] === '{') depth++;
    else if (sheet[at] === '}' && --depth === 0) return at;
  }
  throw new SyntaxError('a block of the style sheet does not end');
}

/** Commas inside `:is(…)` do not part selectors. */
function selectorsOf(list: string): string[] {
  const selectors = [''];
  let depth = 0;
  for (const char of list) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (char === ',' && depth === 0) selectors.push('');
    else selectors[selectors.length - 1] += char;
  }
  return selectors;
}
