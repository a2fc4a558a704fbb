import { describe, expect, it } from 'vitest';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets('0123456789abcdef0123456789abcdef');

describe('sealing', () => {
  it('gives back what was sealed, and never the same bytes twice', () => {
    const [one, two] = [secrets.seal('text', 'here'), secrets.seal('text', 'here')];
    expect(one.equals(two)).toBe(false);
    expect([secrets.open(one, 'here'), secrets.open(two, 'here')]).toEqual(['text', 'text']);
  });

  it('opens nothing that was changed, moved, or sealed with another key', () => {
    const sealed = secrets.seal('text', 'here');
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(() => secrets.open(changed, 'here')).toThrow();
    expect(() => secrets.open(sealed, 'elsewhere')).toThrow();
    expect(() => createSecrets('another key of at least 32 characters').open(sealed, 'here')).toThrow();
    expect(() => secrets.open(Buffer.from('short'), 'here')).toThrow('not a sealed value');
  });
});
