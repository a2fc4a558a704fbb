import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.ts';

const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const section = (page: string, heading: string): string =>
  read(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

it('docs/security.md states each deviation from a standard [decisions.9.in-security]', () => {
  const deviations = section('docs/security.md', 'Where a standard is stricter');
  for (const word of [
    'RFC 9700',
    'NIST 800-63B',
    'browser storage',
    'PCI DSS',
    '300 s',
    'Never mail a password',
  ]) {
    expect(deviations).toContain(word);
  }
});

it('docs/operations.md recommends the stricter settings [decisions.9.in-operations]', () => {
  const hardening = section('docs/operations.md', 'Hardening');
  for (const setting of ['PASSWORD_MIN_LENGTH', 'PASSWORD_RULE=length']) expect(hardening).toContain(setting);
});
