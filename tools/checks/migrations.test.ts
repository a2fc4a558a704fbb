import { describe, expect, it } from 'vitest';
import { grown, migrationFaults } from './migrations.ts';

const first = { name: '0001_a.sql', text: 'create table a ()' };
const second = { name: '0002_b.sql', text: 'create table b ()' };
const landed = grown('', [first]);

describe('the list of landed migrations', () => {
  it('grows at its end and keeps the lines it has', () => {
    expect(landed).toMatch(/^[\da-f]{64} {2}0001_a\.sql\n$/);
    expect(grown(landed, [{ ...first, text: 'edited' }, second])).toMatch(
      /^[\da-f]{64} {2}0001_a\.sql\n[\da-f]{64} {2}0002_b\.sql\n$/,
    );
    expect(grown(landed, [{ ...first, text: 'edited' }, second]).startsWith(landed)).toBe(true);
  });

  it.each([
    [
      'an edited migration',
      landed,
      [{ ...first, text: 'edited' }],
      landed,
      [/0001_a\.sql is not what landed/],
    ],
    ['one that is gone', landed, [], landed, [/0001_a\.sql has landed and is gone/]],
    ['one that is not listed', landed, [first, second], landed, [/lacks a migration: npm run generate/]],
    [
      'a list that was written again for an edited migration',
      grown('', [{ ...first, text: 'edited' }]),
      [{ ...first, text: 'edited' }],
      landed,
      [/other lines than the ones that landed/],
    ],
  ])('finds %s', (_, list, migrations, before, faults) => {
    expect(migrationFaults(list, migrations, before)).toEqual(
      faults.map((text) => expect.stringMatching(text)),
    );
  });

  it('accepts a new migration with its line, also where nobody knows what landed', () => {
    const list = grown(landed, [first, second]);
    expect(migrationFaults(list, [first, second], landed)).toEqual([]);
    expect(migrationFaults(list, [first, second], undefined)).toEqual([]);
  });
});
