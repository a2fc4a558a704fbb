import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import { canonical, decodeForm, type Form } from './form.ts';
import { ParamFault } from './param-fault.ts';
import { group, id, metadataRule, readParams, required, webAddress, whole } from './params.ts';

const name = fc.stringMatching(/^[a-z_]{1,8}$/).filter((text) => text !== '__proto__');
const form: fc.Arbitrary<Form> = fc.letrec<{ node: Form; map: Form }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    tie('map'),
    fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
  ),
  map: fc.dictionary(name, tie('node'), { minKeys: 1, maxKeys: 4 }),
})).map;

function encode(value: Form, path: string, into: URLSearchParams): URLSearchParams {
  if (typeof value === 'string') into.append(path, value);
  else
    for (const [key, child] of Object.entries(value))
      encode(child as Form, path === '' ? key : `${path}[${key}]`, into);
  return into;
}

describe('forms', () => {
  it('come back as they were sent, whatever their nesting', () => {
    fc.assert(
      fc.property(form, (sent) => {
        const read = decodeForm(encode(sent, '', new URLSearchParams()).toString());
        expect(canonical(read)).toBe(canonical(sent));
      }),
    );
  });

  it('never throw anything but a fault of the caller, and never touch a prototype', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          decodeForm(text);
        } catch (cause) {
          expect(cause).toBeInstanceOf(ParamFault);
        }
      }),
    );
    decodeForm('__proto__[polluted]=yes&constructor[prototype][polluted]=yes');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('ids', () => {
  it('never hold a run of digits that could be taken for a card number', () => {
    for (let count = 0; count < 2000; count += 1)
      expect(newId('pi')).toMatch(/^pi_(?!.*\d{8})[0-9A-Za-z]{24}$/);
  });
});

describe('parameters', () => {
  const fields = {
    amount: required(whole(1, 100)),
    card: group({ number: required(id(19)) }),
    back: webAddress,
    metadata: metadataRule({ keys: 1, key: 3, value: 5 }),
  };

  it('are read into values', () => {
    const form = decodeForm('amount=7&card[number]=4242&back=https://a.example/b&metadata[a]=x');
    expect(readParams(fields, form)).toEqual({
      amount: 7,
      card: { number: '4242' },
      back: 'https://a.example/b',
      metadata: { a: 'x' },
    });
  });

  it.each([
    ['', 'missing', 'amount'],
    ['amount=', 'empty', 'amount'],
    ['amount=1.5', 'integer', 'amount'],
    ['amount=101', 'integer', 'amount'],
    ['amount=1&colour=red', 'unknown', 'colour'],
    ['amount=1&card[cvc]=1', 'unknown', 'card[cvc]'],
    ['amount=1&card[x]=', 'unknown', 'card[x]'],
    ['amount=1&card=4242', 'shape', 'card'],
    ['amount=1&card[number]=42424242424242424242', 'length', 'card[number]'],
    ['amount=1&back=nowhere', 'address', 'back'],
    ['amount=1&metadata[a]=1&metadata[b]=2', 'shape', 'metadata'],
    ['amount=1&metadata[long]=1', 'shape', 'metadata[long]'],
    ['amount=1&metadata[a]=longer', 'shape', 'metadata[a]'],
  ])('%s: %s, at %s', (text, problem, param) => {
    expect(() => readParams(fields, decodeForm(text))).toThrow(expect.objectContaining({ problem, param }));
  });
});
