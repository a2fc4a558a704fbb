import { describe, expect, it, vi } from 'vitest';
import { sampleUbl } from '../invoices/sample-documents.ts';
import { readXml, type XmlElement } from './xml.ts';

const reasonOf = (text: string): string => {
  const result = readXml(text);
  return result.ok ? 'accepted' : `${result.line}: ${result.reason}`;
};

describe('readXml', () => {
  it('resolves names by namespace address, whatever the prefix', () => {
    const a = readXml('<q:Root xmlns:q="urn:one"><q:Id scheme="1">7</q:Id></q:Root>');
    const b = readXml('<Root xmlns="urn:one"><Id scheme="1">7</Id></Root>');
    expect(a).toEqual(b);
    expect(a).toMatchObject({
      ok: true,
      root: {
        namespace: 'urn:one',
        name: 'Root',
        children: [{ namespace: 'urn:one', name: 'Id', text: '7', attributes: new Map([['scheme', '1']]) }],
      },
    });
  });

  it('redeclares a prefix inside an element only', () => {
    const result = readXml('<p:a xmlns:p="u1"><p:b xmlns:p="u2"/><p:c/></p:a>');
    expect(result).toMatchObject({
      ok: true,
      root: { children: [{ namespace: 'u2' }, { namespace: 'u1' }] },
    });
  });

  it('reads entities, character references, CDATA and comments as text', () => {
    const result = readXml('<a b="1 &lt; 2">&#228;&#xE4; &amp;amp;<!-- no --> x<![CDATA[<&amp;>]]></a>');
    expect(result).toMatchObject({ ok: true, root: { text: 'ää &amp; x<&amp;>' } });
    expect(result.ok && result.root.attributes.get('b')).toBe('1 < 2');
  });

  it('keeps numbers as they are written', () => {
    expect(readXml('<a>0012.500</a>')).toMatchObject({ root: { text: '0012.500' } });
    expect(readXml('<a>1e3</a>')).toMatchObject({ root: { text: '1e3' } });
  });

  it.each([
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', /DOCTYPE/],
    ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /DOCTYPE/],
    ['<!doctype html><html></html>', /DOCTYPE/],
    ['<a>&x;</a>', /entity '&x;'/],
    ['<a>fish & chips</a>', /'&'/],
    ['<a>&#0;</a>', /entity '&#0;'/],
    ['<a b="&x;"/>', /entity/],
    ['<a>\n<b></a>', /^2: not well-formed/],
    ['<a><b>1</b>', /not well-formed/],
    ['<a><b>1</b', /cut off/],
    ['<a/><b/>', /one root/],
    ['<a/>junk', /cut off/],
    ['', /cut off/],
    ['<p:a/>', /prefix 'p'/],
    ['<a>\u0000</a>', /control character/],
    ['<a>\n\n\u0001</a>', /^3: .*control character/],
    ['<a x="1" x="2"/>', /repeated/],
    ['<__proto__/>', /not well-formed/],
    [`${'<a>'.repeat(70)}${'</a>'.repeat(70)}`, /nested/],
  ])('refuses %j', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });

  it('refuses an entity bomb, endless nesting and megabytes of garbage without throwing', () => {
    const bomb = `<!DOCTYPE l [<!ENTITY a "ha">${'<!ENTITY b "&a;&a;&a;">'.repeat(50)}]><l>&b;</l>`;
    expect(reasonOf(bomb)).toMatch(/DOCTYPE/);
    for (const text of [
      '<a>'.repeat(1_000_000),
      '<'.repeat(1_000_000),
      `<a ${'x '.repeat(100_000)}`,
      '&'.repeat(1_000_000),
    ]) {
      expect(readXml(`${text}>`).ok).toBe(false);
    }
  });

  describe.each([
    ['on one line', (text: string) => text.replaceAll(/>\s+</g, '><').trimEnd()],
    ['with one tag a line', (text: string) => text.replaceAll(/>\s*</g, '>\n<')],
    ['on two lines, the second far away', (text: string) => `${text.replaceAll(/>\s+</g, '><').trimEnd()}\n`],
  ])('of 2,000 lines, written %s', (_how, write) => {
    const text = write(sampleUbl({ lines: Array(2_000).fill({ amount: '1.00' }) }));

    it('says of each element where it starts', () => {
      const result = readXml(text);
      const tags = [...text.matchAll(/<([a-z]:)?\w+/gi)].map(({ index }) => index);
      const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
      let at = 0;
      const lines = tags.map((tag) => {
        while ((ends[at] ?? tag) < tag) at += 1;
        return at + 1;
      });
      expect(result.ok && linesOf(result.root)).toEqual(lines);
    });

    it('searches the text a few times, not once for each element', () => {
      expect(searched(() => readXml(text))).toBeLessThan(4 * text.length);
    });
  });

  it('does not copy what is declared around an element for each declaration inside', () => {
    const prefixes = Array.from({ length: 500 }, (_, at) => ` xmlns:p${at}="urn:${at}"`).join('');
    const text = `<a${prefixes}>${'<b xmlns="urn:b"/>'.repeat(500)}<p499:c/></a>`;
    const set = vi.spyOn(Map.prototype, 'set');
    const result = readXml(text);
    expect(set.mock.calls.length).toBeLessThan(10_000);
    set.mockRestore();
    const children = result.ok ? result.root.children : [];
    expect(children.map(({ namespace }) => namespace)).toEqual([...Array(500).fill('urn:b'), 'urn:499']);
  });
});

/** The line of each element, in document order. */
const linesOf = ({ line, children }: XmlElement): readonly number[] => [line, ...children.flatMap(linesOf)];

/** How many characters are gone through by searches in texts while something runs. */
function searched(run: () => void): number {
  const { indexOf } = String.prototype;
  let count = 0;
  const spy = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (
    this: string,
    what,
    from = 0,
  ) {
    const at = indexOf.call(this, what, from);
    count += (at < 0 ? this.length : at) - from;
    return at;
  });
  run();
  spy.mockRestore();
  return count;
}
