import { describe, expect, it } from 'vitest';
import * as p from './password.ts';

const messages = [
  'Password shorter than 8 characters.',
  "Password don't include at least one uppercase letter.",
  "Password don't include at least one lowercase letter.",
  "Password don't include at least one number.",
  "Password don't include at least one special character.",
  'Passwords do not match.',
];

describe('registration', () => {
  it('gives all messages in their order', () => {
    expect(p.registrationProblems('', 'x')).toEqual(messages);
  });

  it.each([
    ['Aa1!aaaa', 'Aa1!aaaa', null],
    ['Aa1!aaa', 'Aa1!aaa', 0],
    ['aa1!aaaa', 'aa1!aaaa', 1],
    ['AA1!AAAA', 'AA1!AAAA', 2],
    ['Aaa!aaaa', 'Aaa!aaaa', 3],
    ['Aa1aaaaa', 'Aa1aaaaa', 4],
    ['Aa1-aaaa', 'Aa1-aaaa', 4],
    ['Aa1!aaaa', 'Aa1!aaab', 5],
    ['a', 'b', 0],
    ['ÄÖ1!äöüß', 'ÄÖ1!äöüß', null],
    ['😀A1!aaa', '😀A1!aaa', 0],
  ])('%s / %s', (password, confirmation, index) => {
    expect(p.registrationMessage(password, confirmation)).toBe(index === null ? null : messages[index]);
  });

  it.each([...'!@#$%^&*(),.?":{}|<>'])(
    'takes %s as special [payments.registration.constant.special]',
    (character) => {
      const password = `Aa1aaaa${character}`;
      expect(p.registrationProblems(password, password)).toEqual([]);
    },
  );

  it('shows nothing until both fields are filled', () => {
    expect(p.registrationMessage('a', '')).toBeNull();
    expect(p.registrationMessage('', 'a')).toBeNull();
  });

  it('asks for the length only where so configured', () => {
    expect(p.registrationProblems('aaaaaaaa', 'aaaaaaaa', 'length')).toEqual([]);
    expect(p.registrationProblems('aaaaaaa', 'aaaaaaa', 'length')).toEqual([messages[0]]);
    expect(p.registrationProblems('aaaaaaaa', 'b', 'length')).toEqual([messages[5]]);
  });

  it('asks for more characters where so configured, never for fewer', () => {
    const twelve = 'Password shorter than 12 characters.';
    expect(p.registrationProblems('Aa1!aaaa', 'Aa1!aaaa', 'composition', 12)).toEqual([twelve]);
    expect(p.registrationMessage('Aa1!aaaaaaaa', 'Aa1!aaaaaaaa', 'composition', 12)).toBeNull();
    expect(p.registrationProblems('Aa1!aaa', 'Aa1!aaa', 'composition', 6)).toEqual([messages[0]]);
  });
});

describe('a password that is too long', () => {
  it('has more than 256 characters, each counted once', () => {
    const texts = ['x'.repeat(256), 'x'.repeat(257), '😀'.repeat(256), '😀'.repeat(257), 'x'.repeat(100_000)];
    expect(texts.map(p.isTooLong)).toEqual([false, true, false, true, true]);
    expect(texts.map((text) => p.hasValidLength(text))).toEqual([true, false, true, false, false]);
    expect(p.TOO_LONG_MESSAGE).toBe('A password has at most 256 characters');
  });

  it('is refused at registration before anything else is said of it', () => {
    const long = 'x'.repeat(257);
    expect(p.registrationProblems(long, 'y')).toEqual([p.TOO_LONG_MESSAGE]);
    expect(p.registrationMessage(`Aa1!${'x'.repeat(252)}`, `Aa1!${'x'.repeat(252)}`)).toBeNull();
  });
});

describe('change and reset', () => {
  it('counts characters, from 6 on', () => {
    expect(['12345', '123456', '😀😀😀', '😀😀😀😀😀😀'].map((text) => p.hasValidLength(text))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(p.hasValidLength('1234567', 8)).toBe(false);
  });

  it('needs all three fields and an equal confirmation', () => {
    const change = { oldPassword: 'a', newPassword: '123456', newPasswordConfirmation: '123456' };
    expect(p.canChangePassword(change)).toBe(true);
    expect(p.canChangePassword({ ...change, oldPassword: '' })).toBe(false);
    expect(p.canChangePassword({ ...change, newPasswordConfirmation: '' })).toBe(false);
    expect(p.canChangePassword({ ...change, newPasswordConfirmation: '1234567' })).toBe(false);
    expect(p.canChangePassword({ ...change, newPassword: '12345', newPasswordConfirmation: '12345' })).toBe(
      false,
    );
    expect(p.canChangePassword(change, 8)).toBe(false);
  });

  it('complains about a confirmation only once there is one', () => {
    expect(p.confirmationMessage('abc', '')).toBeNull();
    expect(p.confirmationMessage('abc', 'abc')).toBeNull();
    expect(p.confirmationMessage('abc', 'ab')).toBe("Password confirmation doesn't match");
  });
});
