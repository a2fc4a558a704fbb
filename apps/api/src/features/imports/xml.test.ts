import { describe, expect, it } from 'vitest';
import { readXml } from './xml.ts';

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
});
