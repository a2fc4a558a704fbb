import { expect, it } from 'vitest';
import { platformFor, workingIn } from './platform.ts';

const long = `/Users/ada/${'a'.repeat(90)}`;

it.each([
  ['linux', '/srv/data', { address: '\0counterfoil-postgres-7-42' }],
  [
    'darwin',
    '/Users/ada/bills/.data',
    { address: '/Users/ada/bills/.data/.postgres.sock', file: '/Users/ada/bills/.data/.postgres.lock' },
  ],
  ['darwin', long, { address: '/tmp/counterfoil-postgres-7-42.sock', file: `${long}/.postgres.lock` }],
])('locks a data directory on %s: %s', (name, path, expected) => {
  const { address, file } = platformFor(name).lockPlace({ path, dev: 7n, ino: 42n, purpose: 'postgres' });
  expect({ address, ...(file === undefined ? {} : { file: file.path }) }).toEqual(expected);
  if (!address.startsWith('\0'))
    expect(address.length).toBeLessThanOrEqual(platformFor(name).longestSocketPath);
  // O_EXLOCK | O_NONBLOCK of macOS: without either, two could hold it or one would hang.
  if (file !== undefined) expect(file.flags & 0x24).toBe(0x24);
});

it.each([
  ['linux', 107, ['postgres', 'nobody'], '/var/lib/counterfoil'],
  ['darwin', 103, ['postgres', '_postgres'], '/usr/local/var/counterfoil'],
])(
  'knows the socket paths, accounts and folders of %s',
  (name, longestSocketPath, accounts, systemDirectory) => {
    expect(platformFor(name)).toMatchObject({ longestSocketPath, accounts, systemDirectory });
  },
);

it('reads who works in a directory from the list of open files', () => {
  const fields =
    'p501\nfcwd\nn/Users/ada/.data/postgres\np502\nfcwd\nn/Users/ada/.data/postgres\np77\nfcwd\nn/opt/other\n';
  expect(workingIn('/Users/ada/.data/postgres', fields)).toEqual([501, 502]);
  expect(workingIn('/Users/ada/.data', fields)).toEqual([]);
  expect(workingIn('/Users/ada/.data', '')).toEqual([]);
});
