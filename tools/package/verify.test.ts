import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { envelope, provenanceOf, sumsOf } from './provenance.ts';
import { packageFaults } from './verify.ts';

const keys = {
  ed25519: generateKeyPairSync('ed25519'),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const { ed25519 } = keys;
let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-verify-'));
  mkdirSync(at('inside'));
  writeFileSync(at('inside/a'), 'a');
  writeFileSync(at('b'), 'b');
  symlinkSync('b', at('link'));
  writeFileSync(at('packaged.json'), JSON.stringify({ links: { link: 'b' } }));
  make(ed25519.privateKey);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The folder says where it comes from. */
function make(key: KeyObject | undefined): void {
  const sums = sumsOf(folder);
  const now = new Date();
  const statement = provenanceOf(sums, {
    parts: { postgres: true, node: true },
    system: 'linux-x64',
    commit: undefined,
    isChanged: true,
    lockSum: '',
    builder: 'urn:test',
    startedOn: now,
    finishedOn: now,
  });
  writeFileSync(at('SHA256SUMS'), sums);
  writeFileSync(
    at('provenance.json'),
    JSON.stringify(key === undefined ? statement : envelope(statement, key)),
  );
}

it.each(Object.entries(keys))('is good when nothing was touched (%s)', (_name, { privateKey, publicKey }) => {
  make(privateKey);
  expect(packageFaults(folder, publicKey)).toEqual([]);
  expect(packageFaults(folder, undefined)).toEqual([]);
});

it.each<[what: string, spoil: () => void, faults: string[]]>([
  ['another file', () => writeFileSync(at('inside/a'), 'x'), ['inside/a is another.']],
  ['a lost file', () => rmSync(at('b')), ['b is missing.']],
  [
    'a link that leads elsewhere',
    () => {
      rmSync(at('link'));
      symlinkSync('/etc', at('link'));
      symlinkSync('/etc', at('inside/more'));
    },
    ['link is another.', 'inside/more was added.'],
  ],
  ['one more file', () => writeFileSync(at('inside/c'), ''), ['inside/c was added.']],
  [
    'a file with its sum',
    () => {
      writeFileSync(at('b'), 'x');
      writeFileSync(at('SHA256SUMS'), sumsOf(folder));
    },
    ['provenance.json is about other files.'],
  ],
  [
    'another signature',
    () => make(generateKeyPairSync('ed25519').privateKey),
    ['It is not signed by that key.'],
  ],
  ['no signature', () => make(undefined), ['It is not signed.']],
  [
    'another statement under the old signature',
    () => {
      const signed = JSON.parse(readFileSync(at('provenance.json'), 'utf8')) as { payload: string };
      const payload = Buffer.from(signed.payload, 'base64').toString().replace('urn:test', 'urn:else');
      const other = { ...signed, payload: Buffer.from(payload).toString('base64') };
      writeFileSync(at('provenance.json'), JSON.stringify(other));
    },
    ['It is not signed by that key.'],
  ],
  ['no JSON', () => writeFileSync(at('provenance.json'), '{'), ['provenance.json is no JSON.']],
])('tells of %s', (_what, spoil, faults) => {
  spoil();
  expect(packageFaults(folder, ed25519.publicKey)).toEqual(faults);
});

it('tells of a folder that says nothing', () => {
  rmSync(at('SHA256SUMS'));
  expect(packageFaults(folder, undefined)).toEqual([`${folder} has no SHA256SUMS or no provenance.json.`]);
});
