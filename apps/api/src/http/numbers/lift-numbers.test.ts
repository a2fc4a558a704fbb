import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LiftedDocument, liftNumbers } from './lift-numbers.ts';

const DECLARED = new Set(['cardNumber', 'cvc']);
const MARK = 'kept-apart-';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const lift = (text: string) => liftNumbers(bytesOf(text), DECLARED, (index) => `${MARK}${index}`);

/** What the document said before. */
function restored({ json, values }: LiftedDocument): unknown {
  return JSON.parse(json.toString('utf8'), (_name, value: unknown) => {
    const lifted = typeof value === 'string' ? values.get(value) : undefined;
    if (lifted === undefined) return value;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(lifted.bytes);
    return lifted.writtenAs === 'number' ? Number(text) : text;
  });
}

const isShort = (value: unknown): boolean => typeof value === 'string' && bytesOf(value).length <= 64;

/** Member names of which many are declared. */
const name = fc.oneof(fc.constantFrom('cardNumber', 'cvc', 'uid'), fc.string());
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.constantFrom('4242424242424242', '4242 4242 4242 4242', ''),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
);
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(name, tie('document'), { maxKeys: 5 }),
  ),
}));

const escaped = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same JSON written another way: blanks, and any character of a string as an escape. */
const rewritten = (value: unknown, die: () => number): string => {
  const space = () => ['', ' ', '\n\t'][die() % 3] ?? '';
  if (typeof value === 'string')
    return `"${[
      ...JSON.stringify(value)
        .slice(1, -1)
        .matchAll(/\\u[0-9a-f]{4}|\\.|[\ud800-\udbff][\udc00-\udfff]|[^\\]/gs),
    ]
      .map(([written]) => (written.startsWith('\\') || die() % 3 > 0 ? written : escaped(written)))
      .join('')}"`;
  const list = (parts: string[]) => parts.map((part) => space() + part + space()).join(',');
  if (Array.isArray(value)) return `[${list(value.map((one) => rewritten(one, die)))}]`;
  if (typeof value === 'object' && value !== null)
    return `{${list(Object.entries(value).map(([key, one]) => `${rewritten(key, die)}${space()}:${space()}${rewritten(one, die)}`))}}`;
  return JSON.stringify(value);
};

describe('numbers that are lifted out of JSON', () => {
  it('leave a document that says the same once they are put back, however it was written', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(11), { minLength: 1, maxLength: 40 }), (value, dice) => {
        let thrown = 0;
        const text = rewritten(value, () => dice[thrown++ % dice.length] ?? 0);
        const lifted = lift(text);
        expect(lifted && restored(lifted)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('leave nothing in a declared member, and do not touch the others', () => {
    fc.assert(
      fc.property(document, (value) => {
        const lifted = lift(JSON.stringify(value));
        const seen: string[] = [];
        const walk = (one: unknown, isBelow: boolean): void => {
          if (typeof one === 'object' && one !== null)
            for (const [key, inner] of Object.entries(one))
              walk(inner, isBelow || (!Array.isArray(one) && DECLARED.has(key)));
          else if (typeof one === 'string' && one.startsWith(MARK)) seen.push(one);
          else expect(isBelow && (isShort(one) || typeof one === 'number')).toBe(false);
        };
        walk(JSON.parse(lifted?.json.toString() ?? ''), false);
        expect(new Set(seen)).toEqual(new Set(lifted?.values.keys()));
      }),
    );
  });

  it('are lifted from what JSON.parse reads, and from nothing else', () => {
    const mutated = fc
      .tuple(document, fc.nat(), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([value, at, cut, put]) => {
        const text = JSON.stringify(value);
        const where = at % (text.length + 1);
        return (text.slice(0, where) + put + text.slice(where + cut)).toWellFormed();
      });
    const isJson = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const odd = fc.constantFrom(
      '',
      '01',
      '-',
      '1.',
      '.5',
      '1e',
      '+1',
      '[1,]',
      '{"a":1,}',
      "{'a':1}",
      '"\\x"',
      '"\\u12g4"',
      '"\t"',
      '{"cvc":01}',
      '{"cvc":"1',
      'nul',
      '[1]]',
      '\ufeff1 2',
    );
    fc.assert(
      fc.property(fc.oneof(mutated, odd), (text) => {
        expect(lift(text) !== undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('say what was written in escapes, in a name of escapes, repeated, below a declared member and as a number', () => {
    const lifted = lift(
      '{"card\\u004eumber":"\\u0034\\u0032\\/","cvc":["1",{"a":23}],"cvc":-1.5e3,"n":{"cardNumber":"\\ud83d\\ude00\\ud800"}}',
    );
    const texts = [...(lifted?.values.values() ?? [])].map(
      ({ member, bytes, writtenAs }) => `${member} ${writtenAs} ${new TextDecoder().decode(bytes)}`,
    );
    expect(texts).toEqual([
      'cardNumber string 42/',
      'cvc string 1',
      'cvc number 23',
      'cvc number -1.5e3',
      'cardNumber string \u{1f600}\ufffd',
    ]);
  });

  it('are none where a text is longer than any: it is a ciphertext', () => {
    const [long, padded] = ['x'.repeat(65), ' 4-'.repeat(40)];
    const lifted = lift(JSON.stringify({ cardNumber: long, cvc: padded }));
    expect(JSON.parse(lifted?.json.toString() ?? '')).toEqual({ cardNumber: long, cvc: `${MARK}0` });
  });

  it('are read behind a byte-order mark, and not deeper than anything is', () => {
    expect(lift('\ufeff{"cvc":"1"}')?.values.size).toBe(1);
    expect(lift('['.repeat(10_000))).toBeUndefined();
    expect(lift(`${'['.repeat(65)}1${']'.repeat(65)}`)).toBeUndefined();
  });
});
