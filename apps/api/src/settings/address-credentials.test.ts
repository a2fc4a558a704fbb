import { expect, it } from 'vitest';
import { credentialsFault } from './address-credentials.ts';

const said = /^the password in DATABASE_URL has characters that must be percent-encoded: [^h]/;

it.each([
  'postgres://jo:pa/ss@db.example/bills',
  // Read as it stands, these name a host and a port.
  'postgres://jo:12/3@db.example/bills',
  'postgres://jo:12#3@db.example/bills',
  'postgres://jo:12?3@db.example/bills',
  'postgres://jo:p?a@db.example:5432/bills?sslmode=require',
  'postgres://jo:p#a@db.example/bills',
  'postgres://jo:p@a/b@db.example/bills',
  'postgres://jo:50%off@db.example/bills',
  'postgres://jo:/@db.example/bills',
])('%s: says what is wrong, and not the password', (text) => {
  expect(credentialsFault('DATABASE_URL', text)).toMatch(said);
});

it.each([
  'postgres://jo:pa%2Fss%40%23%3F%25@db.example/bills',
  // The last one counts, as everywhere.
  'postgres://jo:p@ss@db.example/bills',
  'postgres://db.example/bills?user=jo@server',
  'postgres://db.example?user=jo@server',
  'postgres://jo@db.example/bills?options=a@b',
  'postgres://jo:pass@db.example?application_name=a@b',
  'postgres:///bills?host=/run/postgresql',
  'smtp://mail.example:25',
  'nonsense',
  '',
])('%s: nothing is said', (text) => {
  expect(credentialsFault('DATABASE_URL', text)).toBeUndefined();
});
