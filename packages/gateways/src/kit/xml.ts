/** XML for gateways that speak it: replies are read without attributes, document types and entities of their own. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { redact } from './redact.ts';
import { copyToOverwrite, joinToOverwrite, type SecretBytes } from './secret-bytes.ts';

/** An element of a request, with its text or its children in order, and attributes; one without content is left out. */
export type XmlNode = readonly [
  name: string,
  content: string | SecretBytes | readonly XmlNode[] | undefined,
  attributes?: Readonly<Record<string, string>>,
];

/** An element of a reply. Attributes are not read. */
export interface XmlElement {
  readonly name: string;
  /** Text directly inside, as it stands there. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text as the content of an element. Characters that XML does not allow are left out. */
export const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>]/g, (character) => escapes[character] ?? character);

/** Text that ISO-8859-1 can carry: other letters lose their accents, what is left of them becomes a question mark. */
export const asLatin1 = (text: string): string =>
  text.replace(/[\u0100-\u{10ffff}]/gu, (character) => {
    const [base = '?'] = character.normalize('NFD');
    return base <= '\u00ff' ? base : '?';
  });

/** Text and secrets of an element in order, without white space between. */
function partsOf([name, content, attributes = {}]: XmlNode): (string | SecretBytes)[] {
  if (content === undefined) return [];
  const inside =
    typeof content === 'string'
      ? [escapeXml(content)]
      : 'use' in content
        ? [content]
        : content.flatMap((child) => partsOf(child));
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(value).replaceAll('"', '&quot;')}"`,
  );
  return [`<${name}${given.join('')}>`, ...inside, `</${name}>`];
}

/**
 * Lends a document's bytes (ISO-8859-1) to `f` and overwrites them when it ends. Its secrets are used up, and stand in no
 * string on their way.
 * @throws {RangeError} for a secret that is not of digits alone: it could end its element
 */
export async function lendXml<T>(
  root: XmlNode,
  f: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const parts: Uint8Array[] = [];
  let document = new Uint8Array();
  try {
    for (const part of ['<?xml version="1.0" encoding="iso-8859-1"?>', ...partsOf(root)])
      parts.push(
        typeof part === 'string' ? Buffer.from(asLatin1(part), 'latin1') : await part.use(copyToOverwrite),
      );
    const secrets = parts.filter((part) => !(part instanceof Buffer));
    if (secrets.some((secret) => secret.some((byte) => byte < 0x30 || byte > 0x39)))
      throw new RangeError('a secret is not of digits alone');
    document = joinToOverwrite(parts);
    return await f(document);
  } finally {
    for (const part of parts) part.fill(0);
    document.fill(0);
  }
}

/** Deepest nesting read. */
const maxDepth = 16;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: true,
  htmlEntities: true,
  maxNestedTags: maxDepth,
});

/**
 * Reads a reply. Document types, and with them all entities but the predefined ones, are refused.
 * @returns `fault`, redacted, for what is no XML document (an empty body, an HTML page, half a reply); never throws
 */
export function readXml(
  text: string,
): { readonly is: 'xml'; readonly root: XmlElement } | { readonly is: 'fault'; readonly detail: string } {
  const fault = (why: string) =>
    ({ is: 'fault', detail: `${why}: ${redact(text.slice(0, 120)) || '(empty)'}` }) as const;
  if (/<!\s*(?:DOCTYPE|ENTITY)/i.test(text)) return fault('the answer has a document type');
  try {
    const nodes = elementsOf(parser.parse(text));
    const [root] = nodes;
    if (root === undefined || nodes.length > 1) return fault('the answer is no XML document');
    if (XMLValidator.validate(text) !== true) return fault('the answer is not well-formed XML');
    return { is: 'xml', root };
  } catch {
    return fault('the answer is not well-formed XML');
  }
}

/** The first child of that name. */
export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name);

/** The parser gives an object for each node: one key names it, its value is the text or the list of its children. */
function elementsOf(nodes: unknown): XmlElement[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown) => {
    const [entry] = entriesOf(node);
    if (entry === undefined || entry[0].startsWith('#')) return [];
    const [name, content] = entry;
    return [{ name, text: textIn(content), children: elementsOf(content) }];
  });
}

const entriesOf = (node: unknown): [string, unknown][] =>
  typeof node === 'object' && node !== null ? Object.entries(node) : [];

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((node: unknown) => {
      const [entry] = entriesOf(node);
      if (entry?.[0] === '#text') return String(entry[1]);
      return entry?.[0] === '#cdata' ? textIn(entry[1]) : '';
    })
    .join('');
}
