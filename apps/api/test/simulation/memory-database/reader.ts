/** One token: a word (lower case unless quoted), a text, a number, a parameter or a sign. */
export interface Token {
  readonly is: 'word' | 'name' | 'text' | 'number' | 'param' | 'sign' | 'end';
  readonly text: string;
}

const TOKENS =
  /\s+|--[^\n]*|(?<word>[a-z_][a-z0-9_]*)|"(?<name>[^"]+)"|'(?<text>(?:[^']|'')*)'|(?<number>\d+(?:\.\d+)?)|\$(?<param>\d+)|(?<sign>::|->>|->|\|\||<=|>=|<>|!=|:=|!~|[-+*/%<>=(),.;[\]~])/giy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < text.length) {
    const at = TOKENS.lastIndex;
    const groups = TOKENS.exec(text)?.groups;
    if (groups === undefined) throw new SyntaxError(`cannot read ${text.slice(at, at + 40)}`);
    for (const [is, found] of Object.entries(groups)) {
      if (found === undefined) continue;
      const plain = is === 'word' ? found.toLowerCase() : is === 'text' ? found.replaceAll("''", "'") : found;
      tokens.push({ is: is as Token['is'], text: plain });
    }
  }
  return tokens;
}

const END: Token = { is: 'end', text: '' };

/** Reads a statement token by token. */
export class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? END;
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  /** Whether these words or signs stand next. */
  sees(...texts: readonly string[]): boolean {
    return texts.every((text, n) => {
      const token = this.peek(n);
      return (token.is === 'word' || token.is === 'sign') && token.text === text;
    });
  }

  /** Takes these words or signs where they stand next. */
  takes(...texts: readonly string[]): boolean {
    if (!this.sees(...texts)) return false;
    this.#at += texts.length;
    return true;
  }

  expect(...texts: readonly string[]): void {
    if (!this.takes(...texts)) throw this.fault(texts.join(' '));
  }

  /** A name of a table, column or alias. */
  name(): string {
    const token = this.next();
    if (token.is !== 'word' && token.is !== 'name') throw this.fault('a name');
    return token.text;
  }

  /** What `read` reads, with commas between. */
  list<T>(read: () => T): T[] {
    const all = [read()];
    while (this.takes(',')) all.push(read());
    return all;
  }

  /** The same in brackets. */
  bracketed<T>(read: () => T): T {
    this.expect('(');
    const found = read();
    this.expect(')');
    return found;
  }

  fault(wanted: string): SyntaxError {
    return new SyntaxError(`${wanted} expected, not "${this.peek().text}", in: ${this.#text}`);
  }
}
