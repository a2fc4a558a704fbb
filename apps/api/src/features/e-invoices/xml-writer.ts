/** An element, or null for one that is left out. */
export type Xml = string | null;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML 1.0 has no way to write. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text.replace(FORBIDDEN, ' ').replace(/[&<>"]/g, (char) => escapes[char] ?? char);

type Attributes = Readonly<Record<string, string>>;

/** An element with text; left out where there is none: an empty element says nothing and is refused by Peppol. */
export function leaf(name: string, text: string | null | undefined, attributes: Attributes = {}): Xml {
  const content = text?.replace(FORBIDDEN, ' ').trim() ?? '';
  return content === '' ? null : `<${name}${written(attributes)}>${escaped(content)}</${name}>`;
}

/** An element around others; left out where all of them are. */
export function node(name: string, ...children: readonly (Xml | readonly Xml[])[]): Xml {
  const content = children.flat().filter((child) => child !== null);
  return content.length === 0 ? null : `<${name}>${content.join('')}</${name}>`;
}

/** A whole document, in UTF-8. @param namespaces by prefix; '' is that of names without one */
export function document(
  name: string,
  namespaces: Attributes,
  ...children: readonly (Xml | readonly Xml[])[]
): Buffer {
  const declared = Object.entries(namespaces).map(([prefix, uri]) =>
    prefix === '' ? ` xmlns="${uri}"` : ` xmlns:${prefix}="${uri}"`,
  );
  const content = children.flat().filter((child) => child !== null);
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${declared.join('')}>${content.join('')}</${name}>\n`,
  );
}

const written = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');
