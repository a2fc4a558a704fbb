import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../..', name), 'utf8');

it('.env.example names every setting that the manual names, with the values that hold where nothing is said', () => {
  const lines = [...read('.env.example').matchAll(/^(#?)([A-Z_]+)=(.*)$/gm)];
  const values = (isStandard: boolean) =>
    Object.fromEntries(
      lines.filter(([, hash]) => (hash === '#') === isStandard).map(([, , name, value]) => [name, value]),
    );
  const { SECRET_KEY_FILE: _file, ...said } = values(false);
  const config = readConfig({ ...said, SECRET_KEY: 's'.repeat(32) });
  expect(readConfig({ ...values(true), ...said, SECRET_KEY: 's'.repeat(32) })).toMatchObject({
    ...config,
    // Named in the example, where there is none.
    importFolder: '/srv/counterfoil/drop',
    mailBounces: 'bounces@bills.example',
    // Named in the example, where any port is taken that is free.
    workPort: 3001,
    saysWhere: true,
  });
  const manual = [...read('docs/operations.md').matchAll(/^\| (`[A-Z_<>`, ]+`) \| /gm)].flatMap(([, names]) =>
    [...String(names).matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  const own = ['SECRET_KEY', 'WEB_DIST'];
  expect(new Set(lines.map(([, , name]) => name))).toEqual(
    new Set(manual.filter((name) => !own.includes(String(name)))),
  );
});
