import type { GatewaySetting } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { describe, expect, it } from 'vitest';
import { changesOf, inLabels, missingOf, typedAtFirst } from './typed-settings.ts';

const field = (name: string, over: Partial<GatewaySetting> = {}): GatewaySetting => ({
  name,
  label: `The ${name}`,
  help: null,
  secret: false,
  required: false,
  kind: 'text',
  values: [],
  default: null,
  ...over,
});
const fields = [
  field('key', { secret: true, required: true }),
  field('hooks', { secret: true, kind: 'list', default: [] }),
  field('user', { required: true }),
  field('flag', { kind: 'flag', default: false }),
  field('note'),
];
const account = {
  settings: { user: 'u', flag: true, note: 'n' },
  secrets: [
    { name: 'key', isSet: true, setAt: null },
    { name: 'hooks', isSet: true, setAt: null },
  ],
};

describe('what is typed of the settings of a gateway', () => {
  it('begins with what is known, and never with a secret', () => {
    expect(typedAtFirst(fields, account)).toEqual({ key: '', hooks: '', user: 'u', flag: true, note: 'n' });
    expect(typedAtFirst(fields, undefined)).toEqual({ key: '', hooks: '', user: '', flag: false, note: '' });
  });

  it.each([
    ['nothing', {}, [], {}],
    ['a secret', { key: ' k2 ' }, [], { key: 'k2' }],
    ['a list of secrets', { hooks: 'a, b\nc' }, [], { hooks: ['a', 'b', 'c'] }],
    ['a secret that is taken away', {}, ['hooks'], { hooks: null }],
    ['an emptied text and a switch', { note: '', flag: false }, [], { note: null, flag: false }],
  ])('sends only what differs: %s', (_what, typed, removed, sent) => {
    expect(changesOf(fields, account, { ...typedAtFirst(fields, account), ...typed }, removed)).toEqual(sent);
  });

  it('knows what is missing: a secret that is set is not', () => {
    const empty = { key: '', hooks: '', user: '', flag: false, note: '' };
    expect(missingOf(fields, account, empty)).toEqual(['The user']);
    expect(missingOf(fields, undefined, empty)).toEqual(['The key', 'The user']);
  });

  it('tells a refusal with the labels of the fields', () => {
    expect(inLabels(fields, "The value given for 'key' does not fit, nor user")).toBe(
      'The value given for “The key” does not fit, nor “The user”',
    );
  });
});
