import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesMatching } from '../../../../../tools/project-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = filesMatching(root, /(?<!\.test)\.tsx?$/).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));
const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('the way to the server', () => {
  it('is one: whatever the portal calls goes through the client, which adds token and customer', () => {
    const other =
      /\bfetch\s*\(|XMLHttpRequest|sendBeacon|EventSource|WebSocket|create(Open)?Api\s*\(|createSender\s*\(/;
    expect(filesWith(other).filter((path) => !path.startsWith('lib/api/'))).toEqual([]);
  });

  it('is without a session only where nobody is signed in yet', () => {
    const places = filesWith(/\bopenApi\b/).filter((path) => !path.startsWith('lib/api/'));
    const withoutSession =
      /^(brand|features\/(auth|login-as|public-pay))\/|^lib\/password-by-link\.ts$|^shell\/router\.tsx$|^console\/entry\//;
    expect(places.filter((path) => !withoutSession.test(path))).toEqual([]);
    expect(places).toContain('features/public-pay/open-pay-flow.ts');
  });
});
