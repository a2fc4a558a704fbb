import { describe, expect, it } from 'vitest';
import { accountOf, cardOf } from '../../../paying/methods/test-support.ts';
import { changeOf, editable, editDraftOf, editNames, editProblems } from './edit-model.ts';

const now = new Date('2026-11-22T12:00:00Z');
const draft = editDraftOf(cardOf());
const bad = (expMonth: string, expYear: string) =>
  editProblems({ ...draft, expMonth, expYear }, editNames, [], now).expMonth;

describe('the expiry of a card', () => {
  it.each([
    ['11', '2026'],
    ['1', '2027'],
    ['12', '2070'],
  ])('may be %s / %s', (month, year) => {
    expect(bad(month, year)).toBeUndefined();
  });
  it.each([
    ['10', '2026', 'before the current month'],
    ['12', '2025', 'a past year'],
    ['1', '2071', 'beyond 2070'],
    ['0', '2030', 'no month'],
    ['13', '2030', 'no month'],
    ['', '2030', 'empty'],
    ['1', '27', 'two digits'],
  ])('may not be %s / %s: %s', (month, year) => {
    expect(bad(month, year)).toBe('Please provide valid date');
  });
});

describe('editing', () => {
  it('begins with what is known, a short year in full', () => {
    expect(editDraftOf(cardOf({ expMonth: 3, expYear: 31 }))).toMatchObject({
      expMonth: '03',
      expYear: '2031',
      name: 'Ada Nakamura',
      line1: '',
    });
  });
  it('offers what the gateway takes, and no expiry of an account', () => {
    expect(editable(cardOf(), ['expMonth', 'expYear', 'name', 'unheardOf'])).toEqual([
      'expMonth',
      'expYear',
      'name',
    ]);
    expect(editable(accountOf(), ['expMonth', 'expYear', 'name', 'email'])).toEqual(['name', 'email']);
  });
  it('sends what was changed and nothing else', () => {
    const card = cardOf();
    expect(changeOf(card, draft, editNames)).toBeUndefined();
    expect(changeOf(card, { ...draft, expMonth: '9', city: ' Bristol ' }, editNames)).toEqual({
      id: 'c-1',
      expMonth: 9,
      expYear: 2028,
      address: { city: 'Bristol' },
    });
    expect(changeOf(card, { ...draft, name: '' }, editNames)).toEqual({ id: 'c-1', name: '' });
    expect(changeOf(card, { ...draft, city: 'Bristol' }, ['name'])).toBeUndefined();
  });
  it('takes an e-mail address, or none', () => {
    const of = (email: string) => editProblems({ ...draft, email }, editNames, [], now).email;
    expect([of(''), of('ada@x.example')]).toEqual([undefined, undefined]);
    expect(of('ada')).toContain('name@example.com');
  });
  it('wants what the gateway must know, where it takes it', () => {
    const of = (country: string, names: Parameters<typeof editProblems>[1]) =>
      Object.keys(editProblems({ ...draft, country }, names, ['country'], now));
    expect(of('', ['city', 'country'])).toEqual(['country']);
    expect([of('US', ['city', 'country']), of('', ['city'])]).toEqual([[], []]);
  });
});
