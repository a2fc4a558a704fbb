import { errors } from '@counterfoil/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { operationsOf } from '../answers/openapi-document.ts';

const fixture = useFixture();

describe('/docs', () => {
  it('loads its script and its styles from here, and the policy allows nothing else', async () => {
    const page = await fixture.app.inject('/docs');
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'/);
    const files = [...page.body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, url]) => String(url));
    expect(files.length).toBe(4);
    for (const url of files) {
      const { statusCode, headers } = await fixture.app.inject(url);
      const type = url.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8';
      expect([url, statusCode, headers['content-type']]).toEqual([url, 200, type]);
    }
    expect(page.body).not.toMatch(/<style|\son\w+=|\sstyle=/i);
  });

  it('has a document in which every call says what it does, where it belongs and who may call', async () => {
    const operations = operationsOf(await fixture.app.openapi());
    expect(operations.length).toBeGreaterThan(10);
    for (const { path, summary, tags, description } of operations) {
      expect(summary, `${path} has no summary`).toMatch(/^[A-Z].{10,100}[^.]$/);
      expect(tags, `${path} has no feature`).toHaveLength(1);
      expect(description, path).toMatch(/^For (anybody|a signed-in (user|operator)|a program)/);
    }
  });

  it('lists every error with status and message', async () => {
    const { info } = await fixture.app.openapi();
    for (const [code, { status }] of Object.entries(errors)) {
      expect(info.description).toContain(`| \`${code}\` | ${status} | `);
    }
  });
});
