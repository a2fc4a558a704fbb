import { describe, expect, it } from 'vitest';
import { companyKey, ssoErrorOf } from './sso-error.ts';

describe('an error of single sign-on', () => {
  it.each([
    ['Unexpected redirect error', 'unknownCompany'],
    ['The Company does not have SSO authentication', 'noSso'],
    ['Authentication failed', 'failed'],
    ['unexpected redirect error', 'failed'],
    ['<script>', 'failed'],
    ['', 'failed'],
  ])('%j is %s', (e, kind) => {
    expect(ssoErrorOf(e)).toBe(kind);
  });
});

describe('company names', () => {
  it.each([
    ['Northline Ltd', '  NORTHLINE   ltd '],
    ['Zoë AG', 'ZOE\u0308 ag'],
    ['ＡＢＣ', 'abc'],
  ])('%j and %j are the same', (one, other) => {
    expect(companyKey(one)).toBe(companyKey(other));
  });
  it('that differ in more are not', () => {
    expect(new Set(['Northline', 'North line', 'Northline.', ''].map(companyKey))).toHaveProperty('size', 4);
  });
});
