import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type BadWorld, DISK, EMBEDDED, file, type Place } from './bad-worlds.ts';

/** Takes rights from root, as far as it has them: what is forbidden to others is then forbidden to it. */
const WITHOUT = (right: string) => `exec setpriv --bounding-set=-${right} "$@"`;
async function takenPort(place: Place): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  place.after(() => server.close());
  return String((server.address() as AddressInfo).port);
}

/** What is wrong before there is a database: settings, folders, disks, ports. */
export const badMachines: readonly BadWorld[] = [
  {
    name: 'port taken',
    command: 'serve',
    says: /^port \d+ is taken by another program; .* set PORT to a free port$/,
    make: async (place) => ({ PORT: await takenPort(place) }),
  },
  {
    name: 'port 80 for who may not',
    command: 'serve',
    before: WITHOUT('net_bind_service'),
    says: /^this account may not listen on port 80; set PORT to 1024 or more/,
    make: () => ({ PORT: '80' }),
  },
  {
    name: 'HOST of another machine',
    command: 'serve',
    says: /^192\.0\.2\.1 is no address of this machine; set HOST to one/,
    make: () => ({ HOST: '192.0.2.1' }),
  },
  {
    name: 'HOST that nobody knows',
    command: 'serve',
    says: /^the name nobody\.invalid is not known here; set HOST/,
    make: () => ({ HOST: 'nobody.invalid' }),
  },
  {
    name: 'port of the sandbox taken',
    command: 'start',
    says: /^port \d+, which the demo's gateway sandbox needs, is taken .* set SANDBOX_PORT to a free port$/,
    make: async (place) => ({ DEMO: '1', SANDBOX_PORT: await takenPort(place) }),
  },
  {
    name: 'DATA_DIR is a file',
    command: 'serve',
    says: /^cannot use \S+data \(DATA_DIR\): \S+data is a file; name a folder$/,
    make: ({ folder }) => ({ DATA_DIR: file(join(folder, 'data')) }),
  },
  {
    name: 'DATA_DIR below a file',
    command: 'user list',
    says: /^cannot use \S+below \(DATA_DIR\): \S+data is a file; name a folder$/,
    make: ({ folder }) => ({ DATA_DIR: join(file(join(folder, 'data')), 'below') }),
  },
  {
    name: "DATA_DIR is another account's",
    command: 'start',
    before: WITHOUT('dac_override,-dac_read_search,-chown,-fowner'),
    says: /^cannot use \S+ \(DATA_DIR\): this account may not; give it the folder/,
    make({ folder }) {
      const theirs = join(folder, 'theirs');
      mkdirSync(theirs, { mode: 0o700 });
      if (process.getuid?.() === 0) chownSync(theirs, 65_534, 65_534);
      else chmodSync(theirs, 0o500);
      return { ...EMBEDDED, DATA_DIR: join(theirs, 'data') };
    },
  },
  {
    name: 'DATA_DIR on a read-only file system',
    command: 'start',
    says: /^cannot use \S+ \(DATA_DIR\): its file system is read-only; mount it writable/,
    before: DISK('4m', 'mount -o remount,ro "$0/disk" &&'),
    make({ folder }) {
      mkdirSync(join(folder, 'disk'));
      return { ...EMBEDDED, DATA_DIR: join(folder, 'disk/data') };
    },
  },
  {
    name: 'DATA_DIR on a full disk',
    command: 'serve',
    says: /^no room: \S+ \w+ free on the disk of \S+ \(DATA_DIR\); make room there$/,
    before: DISK('512k'),
    make({ folder }) {
      mkdirSync(join(folder, 'disk'));
      return { DATA_DIR: join(folder, 'disk/data') };
    },
  },
  {
    name: 'FILES_URL is a file',
    command: 'work',
    says: /^cannot use \S+ \(FILES_URL\): \S+files is a file; name a folder$/,
    make: ({ folder }) => ({ FILES_URL: `file://${file(join(folder, 'files'))}` }),
  },
  {
    name: 'FILES_URL on another machine',
    command: 'serve',
    says: /^bad settings: FILES_URL must be a folder of this machine/,
    make: () => ({ FILES_URL: 'file://server/share/' }),
  },
  {
    name: 'portal not built',
    command: 'serve',
    says: /^the portal is not built: index\.html is missing in \S+ \(WEB_DIST\); 'node tools\/run\.mjs build-web' builds it$/,
    make: ({ folder }) => ({ WEB_DIST: folder }),
  },
  {
    name: 'SECRET_KEY_FILE missing',
    command: 'work',
    says: /^bad settings: SECRET_KEY_FILE cannot be read: \S+key \(ENOENT\)$/,
    make: ({ folder }) => ({ SECRET_KEY: undefined, SECRET_KEY_FILE: join(folder, 'key') }),
  },
  {
    name: 'DATA_DIR/secret.key without a key',
    command: 'start',
    says: /^\S+secret\.key \(DATA_DIR\) holds no key; put back the one of this installation/,
    make({ folder }) {
      file(join(folder, 'secret.key'));
      return { ...EMBEDDED, DATA_DIR: folder };
    },
  },
  {
    name: 'GATEWAY_URL with a path',
    command: 'serve',
    says: /^GATEWAY_URL_STRIPE must be without a path, such as https:\/\/proxy\.example: /,
    make: () => ({ GATEWAY_URL_STRIPE: 'https://proxy.example/stripe' }),
  },
  {
    name: 'GATEWAY_URL with a password',
    command: 'work',
    says: /^GATEWAY_URL_STRIPE_API must not carry credentials$/,
    make: () => ({ GATEWAY_URL_STRIPE_API: 'https://key:s3cret@proxy.example' }),
  },
  {
    name: 'GATEWAY_URL of no gateway',
    command: 'serve',
    says: /^GATEWAY_URL_STRIP is no gateway's; there are GATEWAY_URL_STRIPE, GATEWAY_URL_STRIPE_API, /,
    make: () => ({ GATEWAY_URL_STRIP: 'https://proxy.example' }),
  },
  {
    name: 'MAIL_FROM with a name',
    command: 'serve',
    says: /^bad settings: MAIL_FROM must be a mail address alone/,
    make: () => ({ MAIL_FROM: 'Billing <billing@example.com>' }),
  },
];
