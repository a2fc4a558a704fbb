import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './process.ts';
import { serverProgram } from './run/server-program.mjs';

it('counterfoil runs from any folder through links, with the caller’s file names and exit code', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'counterfoil-bin-')));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const project = join(place, 'with space');
  const elsewhere = join(place, 'elsewhere');
  for (const folder of ['tools', 'bin', 'apps/api/src', 'packages', 'node_modules'])
    mkdirSync(join(project, folder), { recursive: true });
  mkdirSync(elsewhere);
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const file of [bin.counterfoil, 'tools', 'package.json', 'package-lock.json'])
    cpSync(join(root, file), join(project, file), { recursive: true });
  const pinned = `node-${process.platform}-${process.arch}`;
  symlinkSync(join(root, 'node_modules', pinned), join(project, 'node_modules', pinned));
  cpSync(join(project, 'package-lock.json'), join(project, 'node_modules/.package-lock.json'));
  const program = `console.log(JSON.stringify([process.cwd(), process.argv.slice(2)])); process.exitCode = 3;`;
  const built = join(project, serverProgram(project));
  mkdirSync(dirname(built), { recursive: true });
  writeFileSync(built, program);
  // As npm link does it, and as somebody puts it into a folder of programs.
  symlinkSync(join(project, bin.counterfoil), join(place, 'linked'));
  symlinkSync(join(place, 'linked'), join(place, 'counterfoil'));
  const ran = spawnSync(join(place, 'counterfoil'), ['import', 'a b.xml', '--json'], {
    cwd: elsewhere,
    encoding: 'utf8',
    // What an npm around it says of another folder does not count.
    env: { ...process.env, INIT_CWD: place },
  });
  expect([ran.status, ran.stdout.trim(), ran.stderr]).toEqual([
    3,
    JSON.stringify([elsewhere, ['import', 'a b.xml', '--json']]),
    '',
  ]);
});
