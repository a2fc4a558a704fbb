import { expect, it } from 'vitest';
import { linkToken } from './link-token.ts';

it.each([
  ['/reset-password/abc-_9', 'abc-_9'],
  ['/finish-registration/abc/', 'abc'],
  ['/reset-password/a%2Fb', 'a/b'],
  ['/reset-password/%E0%A4', '%E0%A4'],
  ['/', ''],
])('takes the token from %s', (path, token) => {
  expect(linkToken(path)).toBe(token);
});
