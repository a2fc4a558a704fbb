import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** One XML element. Names are resolved: the namespace is its address, never the prefix a file happens to use. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a namespace, by name. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Text directly inside, without that of child elements, trimmed. */
  readonly text: string;
  /** Line of the start tag, counted from 1. */
  readonly line: number;
}

/** The document's root element, or why it is refused. */
export type XmlResult =
  | { readonly ok: true; readonly root: XmlElement }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Deepest nesting taken. UBL needs about ten levels. */
const maxDepth = 64;

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The shape fast-xml-parser gives with `preserveOrder`: one key names the element, `:@` holds its attributes. */
type RawNode = Readonly<Record<string, unknown>>;

/** Namespaces by prefix: those an element declares, then those of what it stands in. */
interface Namespaces {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Namespaces | null;
}

class Refused extends Error {
  readonly line: number;
  constructor(reason: string, line: number) {
    super(reason);
    this.line = line;
  }
}

/**
 * Reads an XML document that comes from outside. A document type (and with it every entity declaration) is
 * refused, entities other than the five predefined and character references are refused, nesting is bounded,
 * numbers stay text.
 * @param text the decoded document, already bounded in size by the caller
 * @returns the root element, or the line and the reason; never throws on any input
 */
export function readXml(text: string): XmlResult {
  const refused = refuseBeforeParsing(text);
  if (refused !== null) return { ok: false, ...refused };
  try {
    return { ok: true, root: rootOf(parse(text), lineCounter(text)) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, line: error.line, reason: error.message };
    return { ok: false, line: 1, reason: `not well-formed XML: ${messageOf(error)}` };
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unreadable';
  return message.split('\n', 1)[0]?.slice(0, 160) ?? 'unreadable';
}

function refuseBeforeParsing(text: string): { line: number; reason: string } | null {
  const doctype = /<!\s*(?:DOCTYPE|ENTITY)/i.exec(text);
  if (doctype !== null) {
    return {
      line: lineCounter(text)(doctype.index),
      reason: 'a document type declaration (DOCTYPE) is not accepted',
    };
  }
  const control = findForbiddenCharacter(text);
  if (control !== null) {
    return {
      line: lineCounter(text)(control),
      reason: 'a character that XML does not allow (control character)',
    };
  }
  if (!text.trimEnd().endsWith('>')) {
    return {
      line: lineCounter(text)(text.length),
      reason: 'the document does not end with a closing tag; it seems cut off',
    };
  }
  return null;
}

/** Position of the first character outside XML 1.0's Char production that text may hold, or null. */
function findForbiddenCharacter(text: string): number | null {
  // Only C0 controls and the two non-characters: lone surrogates cannot come out of a strict decoder.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return at;
    if (code >= 0xfffe) return at;
  }
  return null;
}

function parse(text: string): readonly RawNode[] {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    cdataPropName: '#cdata',
    ignoreDeclaration: true,
    ignorePiTags: true,
    processEntities: false,
    maxNestedTags: maxDepth,
    captureMetaData: true,
  });
  // The parser stops at too deep nesting within milliseconds; the validator, which does not, comes after it.
  const nodes: unknown = parser.parse(text);
  const verdict = XMLValidator.validate(text);
  if (verdict !== true)
    throw new Refused(`not well-formed XML: ${verdict.err.msg.slice(0, 160)}`, verdict.err.line);
  return Array.isArray(nodes) ? nodes : [];
}

function rootOf(nodes: readonly RawNode[], lineAt: (index: number) => number): XmlElement {
  const elements = nodes.filter((node) => nameOf(node) !== null);
  const [root] = elements;
  if (root === undefined || elements.length !== 1)
    throw new Refused('not one XML document with one root element', 1);
  const declared = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);
  return elementOf(root, { declared, outer: null }, lineAt);
}

function nameOf(node: RawNode): string | null {
  return Object.keys(node).find((key) => key !== ':@' && !key.startsWith('#')) ?? null;
}

function elementOf(node: RawNode, outer: Namespaces, lineAt: (index: number) => number): XmlElement {
  const qualified = nameOf(node) ?? '';
  const line = lineAt(startOf(node));
  const raw = attributesOf(node, line);
  const scope = scopeOf(raw, outer);
  const [prefix, name] = splitName(qualified);
  const namespace = namespaceOf(prefix, scope);
  if (namespace === undefined && prefix !== '')
    throw new Refused(`the prefix '${prefix}' is not declared`, line);
  const content = node[qualified];
  const nodes: readonly RawNode[] = Array.isArray(content) ? content : [];
  return {
    namespace: namespace ?? '',
    name,
    attributes: new Map([...raw].filter(([key]) => !key.includes(':') && key !== 'xmlns')),
    children: nodes.filter((child) => nameOf(child) !== null).map((child) => elementOf(child, scope, lineAt)),
    text: nodes
      .map((child) => textOf(child, line))
      .join('')
      .trim(),
    line,
  };
}

/** Adds what an element declares, without a copy of all that is declared around it. */
function scopeOf(attributes: ReadonlyMap<string, string>, outer: Namespaces): Namespaces {
  const declared = [...attributes].filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
  if (declared.length === 0) return outer;
  return { declared: new Map(declared.map(([key, uri]) => [key.slice(6), uri])), outer };
}

function namespaceOf(prefix: string, scope: Namespaces): string | undefined {
  for (let one: Namespaces | null = scope; one !== null; one = one.outer) {
    const namespace = one.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

function splitName(qualified: string): readonly [string, string] {
  const colon = qualified.indexOf(':');
  return colon < 0 ? ['', qualified] : [qualified.slice(0, colon), qualified.slice(colon + 1)];
}

function attributesOf(node: RawNode, line: number): ReadonlyMap<string, string> {
  const raw = node[':@'];
  if (typeof raw !== 'object' || raw === null) return new Map();
  return new Map(Object.entries(raw).map(([key, value]) => [key, decodeEntities(String(value), line)]));
}

function textOf(node: RawNode, line: number): string {
  if (typeof node['#text'] === 'string') return decodeEntities(node['#text'], line);
  const parts = node['#cdata'];
  if (!Array.isArray(parts)) return '';
  return parts.map((part: RawNode) => (typeof part['#text'] === 'string' ? part['#text'] : '')).join('');
}

function decodeEntities(text: string, line: number): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&\s]{0,40});?/g, (whole, name: string) => {
    const character = whole.endsWith(';') ? (predefined[name] ?? characterOf(name)) : undefined;
    if (character === undefined) throw new Refused(`the entity '${whole}' is not accepted`, line);
    return character;
  });
}

function characterOf(name: string): string | undefined {
  const match = /^#(?:([0-9]{1,7})|x([0-9A-Fa-f]{1,6}))$/.exec(name);
  if (match === null) return undefined;
  const code = match[1] === undefined ? Number.parseInt(match[2] ?? '', 16) : Number.parseInt(match[1], 10);
  const isAllowed =
    code === 0x09 ||
    code === 0x0a ||
    code === 0x0d ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isAllowed ? String.fromCodePoint(code) : undefined;
}

function startOf(node: RawNode): number {
  // The parser keeps where an element starts under its one symbol key.
  const [symbol] = Object.getOwnPropertySymbols(node);
  const meta: unknown = symbol === undefined ? undefined : Reflect.get(node, symbol);
  if (typeof meta !== 'object' || meta === null || !('startIndex' in meta)) return 0;
  return typeof meta.startIndex === 'number' ? meta.startIndex : 0;
}

/** Line number (from 1) of a position, asked for in any order: the text is searched for line ends once, not each time. */
function lineCounter(text: string): (index: number) => number {
  let ends: readonly number[] | undefined;
  return (index) => {
    ends ??= lineEndsOf(text);
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((ends[middle] ?? 0) < index) from = middle + 1;
      else to = middle;
    }
    return from + 1;
  };
}

function lineEndsOf(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}
