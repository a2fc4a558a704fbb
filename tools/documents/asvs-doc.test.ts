import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The requirements of levels 1 and 2 of OWASP ASVS 5.0, by section. */
const ASKED = `
  1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2 2.1.1-3 2.2.1-3 2.3.1-4 2.4.1 3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2
  4.1.1-3 4.2.1 4.3.1-2 4.4.1-4 5.1.1 5.2.1-3 5.3.1-2 5.4.1-3 6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4
  7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2 8.1.1-2 8.2.1-3 8.3.1 8.4.1 9.1.1-3 9.2.1-4 10.1.1-2 10.2.1-2 10.3.1-4
  10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1 12.1.1-3 12.2.1-2 12.3.1-4
  13.1.1 13.2.1-5 13.3.1-2 13.4.1-5 14.1.1-2 14.2.1-4 14.3.1-3 15.1.1-3 15.2.1-3 15.3.1-7 16.1.1 16.2.1-5 16.3.1-4
  16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2`;

/** '1.2.6–8' is three numbers. */
function numbers(text: string): string[] {
  return [...text.matchAll(/(\d+\.\d+)\.(\d+)(?:[-–](\d+))?/g)].flatMap(([, section, first, last]) => {
    const from = Number(first);
    return Array.from(
      { length: Number(last ?? first) - from + 1 },
      (_, index) => `${section}.${from + index}`,
    );
  });
}

const page = readFileSync(join(import.meta.dirname, '../../docs/asvs.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, asked = '', , state = '', here = '', shown = '']) => ({
    asked: numbers(asked),
    state,
    here,
    shown,
  }));

describe('docs/asvs.md', () => {
  it('has each requirement once', () => {
    const listed = rows.flatMap(({ asked }) => asked);
    expect(new Set(listed)).toEqual(new Set(numbers(ASKED)));
    expect(listed).toHaveLength(numbers(ASKED).length);
  });

  it('says for each how it stands, and why where it is not met', () => {
    const known = ['met', 'partly', '**missing**', 'n/a'];
    const silent = rows.filter(
      ({ state, here }) => !known.includes(state) || (state !== 'met' && here === ''),
    );
    expect(silent).toEqual([]);
    // Without test and words: what asks for the absence of something.
    const bare = rows.filter(({ here, shown }) => here === '' && shown === '').flatMap(({ asked }) => asked);
    expect(bare).toEqual(['6.2.10', '6.4.2']);
  });

  it('counts them', () => {
    const count = (state: string) =>
      rows.filter((row) => row.state === state).flatMap(({ asked }) => asked).length;
    expect(page).toContain(`| ${['met', 'partly', '**missing**', 'n/a'].map(count).join(' | ')} |`);
  });
});
