import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGES = ['index', 'sign-in', 'reset-password', 'finish-registration', 'pay', 'console'];
let folder: string | undefined;

/** A folder (WEB_DIST) that counts as the built portal, for processes of which no page is looked at. Goes with this one. */
export function fakePortal(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'counterfoil-portal-'));
  folder = made;
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, 'assets'));
  for (const page of PAGES)
    writeFileSync(join(made, `${page}.html`), '<!doctype html><html lang="en"></html>');
  return made;
}
