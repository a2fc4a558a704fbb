import { describe, expect, it } from 'vitest';
import { firstUsable } from './catalogue.ts';
import { formatMessage } from './format-message.ts';

describe('messages', () => {
  it('fill in texts and group numbers', () => {
    expect(formatMessage('{from}–{to} of {total}', { from: 1, to: 25, total: 1284906 }, 'en')).toBe(
      '1–25 of 1,284,906',
    );
    expect(formatMessage('{total}', { total: 1284906 }, 'de')).toBe('1.284.906');
  });
  it('choose by number, exact cases first', () => {
    const text = '{n, plural, =0 {No invoices} one {# invoice} other {# invoices, all from {who}}}';
    expect([0, 1, 1200].map((n) => formatMessage(text, { n, who: 'Ada' }, 'en'))).toEqual([
      'No invoices',
      '1 invoice',
      '1,200 invoices, all from Ada',
    ]);
  });
  it('follow the plural rules of the language', () => {
    const text = '{n, plural, one {#a} few {#b} many {#c} other {#d}}';
    expect([1, 3, 5].map((n) => formatMessage(text, { n }, 'pl'))).toEqual(['1a', '3b', '5c']);
  });
  it('choose by word', () => {
    const text = '{kind, select, card {Card, {last4}} other {Account}}';
    expect(formatMessage(text, { kind: 'card', last4: '4242' }, 'en')).toBe('Card, 4242');
    expect(formatMessage(text, { kind: 'bank' }, 'en')).toBe('Account');
  });
  it('leave apostrophes and number signs outside a plural alone, and show what is missing', () => {
    expect(formatMessage("doesn't match #1 {who}", {}, 'en')).toBe("doesn't match #1 {who}");
  });
  it('do not read braces or numbers out of the values', () => {
    expect(formatMessage('Hello {name}', { name: '{evil, plural, other {#}}' }, 'en')).toBe(
      'Hello {evil, plural, other {#}}',
    );
  });
  it('isolate a value that is written from the right, and no other', () => {
    const filled = (name: string) => formatMessage('{name}, {n}', { name, n: '12' }, 'en');
    expect(filled('شركة النور')).toBe('\u2068شركة النور\u2069, 12');
    expect(filled('Łódź 東京')).toBe('Łódź 東京, 12');
  });
});

describe('the reader’s locale', () => {
  it('is the first tag that Intl takes', () => {
    expect(firstUsable(['en-US@posix', 'de-CH'])).toBe('de-CH');
    expect(firstUsable([])).toBe('en');
  });
});
