import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { operationsOf } from '../answers/openapi-document.ts';

const fixture = useFixture({ modules: gatewayModules });
const requirements = join(import.meta.dirname, '../../../../../docs/requirements');

/** Calls in the text of the specification; what it abbreviates ('…') is left out. */
function specified(): string[] {
  const text = ['portal', 'payments', 'decisions'].map((name) =>
    readFileSync(join(requirements, `${name}.md`), 'utf8'),
  );
  const found = text
    .join('\n')
    .matchAll(/\b(GET|POST|PUT|DELETE) (?:to |on )?(\/(?:v1\/|token)[^\s`,;)…]*)(?![…])/g);
  return [...found].map(([, method, path = '']) => `${method} ${path.replace(/\?.*|[.:]$/, '')}`);
}

it('every call that the specification writes out is one of the server’s [decisions.0.whole-api]', async () => {
  const calls = specified();
  expect(calls.length).toBeGreaterThan(50);
  const served = operationsOf(await fixture.app.openapi()).map(
    ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  );
  expect(calls.filter((call) => !served.some((pattern) => pattern.test(call)))).toEqual([]);
});
