import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { architectureFaults } from '../architecture.ts';
import { filesMatching } from '../project-files.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'counterfoil-rules-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Writes files and gives the faults as `path: rule: message`. */
function faults(files: Readonly<Record<string, string>>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return architectureFaults(root).map(({ path, rule, message }) => `${path}: ${rule}: ${message}`);
}

const leaf = 'export const x = 1;\n';

describe('what is allowed', () => {
  it('passes a tree whose arrows point the right way', () => {
    const tree = {
      'packages/domain/src/money/money.ts': leaf,
      'packages/contract/src/pay.ts': `import { x } from '@counterfoil/domain/money/money.ts';\nexport const y = x;\n`,
      'packages/gateways/src/stripe/manifest.ts': leaf,
      'packages/gateways/src/stripe/wire.ts': `import './manifest.ts';\n`,
      'packages/gateways/src/stripe/sandbox.ts': `import './manifest.ts';\n`,
      'packages/gateways/src/stripe/browser.tsx': leaf,
      'packages/testing/src/clock.ts': leaf,
      'apps/api/src/config.ts': `export const port = process.env['PORT'];\n`,
      'apps/api/src/features/pay/routes.ts': `import '../invoices/service.ts';\nimport '@counterfoil/contract/pay.ts';\n`,
      'apps/api/src/features/pay/routes.test.ts': `import '@counterfoil/testing/clock.ts';\nparseFloat('1');\n`,
      'apps/api/src/features/invoices/service.ts': leaf,
      'apps/web/src/main.tsx': `void import('@counterfoil/gateways/stripe/browser.tsx');\n`,
      'tools/any.ts': `import '../apps/api/src/config.ts';\nprocess.env['X'];\n`,
    };
    expect(faults(tree)).toEqual([]);
  });
});

describe('floors of the portal', () => {
  it('stand on those below: what every page draws with knows no page', () => {
    const tree = {
      'apps/web/src/text/a.ts': leaf,
      'apps/web/src/ui/fields/a.tsx': `import '../../text/a.ts';\nimport '../../lib/a.ts';\n`,
      'apps/web/src/ui/fields/a.test.tsx': `import '../../features/pay/a.tsx';\n`,
      'apps/web/src/lib/a.ts': `import type { x } from '../paying/a.ts';\n`,
      'apps/web/src/paying/a.ts': `import '../lib/b.ts';\nimport '../features/pay/a.tsx';\nexport const x = 1;\n`,
      'apps/web/src/lib/b.ts': leaf,
      'apps/web/src/features/pay/a.tsx': leaf,
    };
    expect(faults(tree)).toEqual([
      expect.stringMatching(/^apps\/web\/src\/lib\/a\.ts: floors of the portal: imports .*paying\/a\.ts/),
      expect.stringMatching(/^apps\/web\/src\/paying\/a\.ts: floors .*features\/pay\/a\.tsx/),
      expect.stringMatching(/^apps\/web\/src\/ui\/fields\/a\.tsx: floors .*lib\/a\.ts/),
    ]);
  });
});

describe('arrows', () => {
  const arrow = (path: string, specifier: string) =>
    faults({
      'packages/domain/src/a.ts': leaf,
      'packages/contract/src/a.ts': leaf,
      'packages/testing/src/a.ts': leaf,
      'packages/gateways/src/stripe/manifest.ts': leaf,
      'apps/api/src/a.ts': leaf,
      'apps/web/src/a.ts': leaf,
      'tools/a.ts': leaf,
      [path]: `import '${specifier}';\n`,
    });

  it.each([
    [
      'packages/contract/src/b.ts',
      '@counterfoil/gateways/stripe/manifest.ts',
      'contract must not import gateways',
    ],
    ['packages/gateways/src/b.ts', '@counterfoil/contract/a.ts', 'gateways must not import contract'],
    ['apps/api/src/b.ts', '../../web/src/a.ts', 'by a relative path'],
    ['apps/api/src/b.ts', '@counterfoil/web/a.ts', 'api must not import web'],
    ['apps/api/src/b.ts', '@counterfoil/testing/a.ts', 'api must not import testing'],
    ['apps/api/src/b.ts', '../../../tools/a.ts', 'no part of the product'],
    ['apps/web/src/b.ts', '@counterfoil/gateways/stripe/manifest.ts', 'web sees only the browser entries'],
  ])('refuses %s importing %s', (path, specifier, message) => {
    expect(arrow(path, specifier)).toEqual([
      expect.stringMatching(`^${path}: arrows point one way: .*${message}`),
    ]);
  });

  it.each(['@counterfoil/contract/a.ts', 'zod/mini', 'node:fs'])(
    'refuses domain importing %s',
    (specifier) => {
      expect(arrow('packages/domain/src/b.ts', specifier).join()).toContain('domain depends on nothing');
    },
  );

  it('sees dynamic imports and re-exports', () => {
    const tree = {
      'packages/domain/src/a.ts': leaf,
      'packages/domain/src/b.ts': `export { z } from 'zod';\nexport const later = () => import('node:fs');\n`,
    };
    expect(faults(tree)).toHaveLength(2);
  });
});

describe('gateways', () => {
  const stripe = 'packages/gateways/src/stripe';

  it('keeps gateways apart', () => {
    const tree = {
      [`${stripe}/manifest.ts`]: leaf,
      'packages/gateways/src/moneris/manifest.ts': leaf,
      'packages/gateways/src/moneris/gateway.ts': `import '../stripe/manifest.ts';\n`,
    };
    expect(faults(tree).join()).toContain('moneris/gateway.ts: a gateway is one folder');
  });

  it('keeps a sandbox from its gateway’s wire, also through a helper', () => {
    const tree = {
      [`${stripe}/manifest.ts`]: leaf,
      [`${stripe}/wire.ts`]: leaf,
      [`${stripe}/helper.ts`]: `import './wire.ts';\n`,
      [`${stripe}/sandbox/cards.ts`]: `import '../helper.ts';\n`,
    };
    expect(faults(tree)).toEqual([expect.stringContaining(`sandbox/cards.ts: a sandbox never shares`)]);
  });

  it('keeps an adapter from what sandboxes share, which their sandboxes may use', () => {
    const shared = `import '@counterfoil/sandbox/store.ts';\n`;
    const tree = {
      'packages/sandbox/src/store.ts': leaf,
      [`${stripe}/manifest.ts`]: leaf,
      [`${stripe}/gateway.ts`]: shared,
      [`${stripe}/sandbox.ts`]: shared,
      [`${stripe}/sandbox-data.ts`]: shared,
      [`${stripe}/gateway.test.ts`]: shared,
    };
    expect(faults(tree)).toEqual([expect.stringContaining('stripe/gateway.ts: arrows point one way')]);
  });

  it('keeps server code from the browser', () => {
    const tree = {
      [`${stripe}/manifest.ts`]: leaf,
      [`${stripe}/gateway.ts`]: leaf,
      [`${stripe}/browser.tsx`]: `import './gateway.ts';\n`,
    };
    expect(faults(tree)).toEqual([expect.stringContaining('browser entries never reach server code')]);
  });
});

describe('features', () => {
  it('refuses another feature’s routes and internals, and any other feature in the browser', () => {
    const tree = {
      'apps/api/src/features/b/routes.ts': leaf,
      'apps/api/src/features/b/inner.ts': leaf,
      'apps/api/src/features/b/more-queries.ts': leaf,
      'apps/api/src/features/a/service.ts': `import '../b/routes.ts';\nimport '../b/inner.ts';\n`,
      'apps/api/src/features/a/types.ts': `import type { leaf } from '../b/more-queries.ts';\n`,
      'apps/web/src/features/b/queries.ts': leaf,
      'apps/web/src/features/a/page.tsx': `import '../b/queries.ts';\n`,
    };
    expect(faults(tree)).toEqual([
      expect.stringContaining('b/routes.ts; put what is shared'),
      expect.stringContaining('b/inner.ts; offer it'),
      expect.stringContaining('b/more-queries.ts; offer it'),
      expect.stringContaining('b/queries.ts; compose features'),
    ]);
  });

  it('lets others into payments by its service and its queries alone, also for types', () => {
    const tree = {
      'apps/api/src/features/payments/service.ts': leaf,
      'apps/api/src/features/payments/queries.ts': leaf,
      'apps/api/src/features/payments/accounts.ts': leaf,
      'apps/api/src/features/payments/attempts/charge.ts': leaf,
      'apps/api/src/features/payments/receipts/receipt-service.ts': leaf,
      'apps/api/src/features/a/service.ts': `import '../payments/service.ts';\nimport '../payments/queries.ts';\n`,
      'apps/api/src/features/b/service.ts': `import '../payments/attempts/charge.ts';\n`,
      'apps/api/src/features/c/service.ts': `import type { A } from '../payments/accounts.ts';\nexport type B = A;\n`,
      'apps/api/src/features/d/service.ts': `import '../payments/receipts/receipt-service.ts';\n`,
    };
    expect(faults(tree)).toEqual([
      expect.stringContaining('charge.ts; offer it in service.ts or queries.ts of payments'),
      expect.stringContaining('accounts.ts; offer it'),
      expect.stringContaining('receipt-service.ts; offer it'),
    ]);
  });
});

describe('files', () => {
  it('finds import cycles, of types too', () => {
    const tree = {
      'packages/domain/src/a.ts': `import './b.ts';\n`,
      'packages/domain/src/b.ts': `import './c.ts';\n`,
      'packages/domain/src/c.ts': `import './a.ts';\n`,
      'packages/domain/src/d.ts': `import type { E } from './e.ts';\nexport type D = E;\n`,
      'packages/domain/src/e.ts': `import type { D } from './d.ts';\nexport type E = D | 1;\n`,
    };
    expect(faults(tree)).toEqual([
      expect.stringContaining('no import cycles: packages/domain/src/a.ts → '),
      expect.stringContaining('no import cycles: packages/domain/src/d.ts → '),
    ]);
  });

  it('finds readers of the environment and float arithmetic on money', () => {
    const tree = {
      'apps/api/src/a.ts': `export const a = process.env['X'];\nexport const b = (1.5).toFixed(2);\n`,
      'packages/gateways/src/b.ts': `export const a = (n: number) => n * 100;\nexport const b = parseFloat('1');\n`,
      'packages/gateways/src/c.ts': `export const a = (n: bigint) => n * 100n; // n * 100\n`,
      'packages/domain/src/d.ts': `export const chart = (n: number) => (n * 100).toFixed(1);\n`,
    };
    expect(faults(tree)).toEqual([
      expect.stringMatching(/a\.ts: one reader of the environment: line 1/),
      expect.stringMatching(/a\.ts: no float arithmetic on money: line 2: toFixed/),
      expect.stringMatching(/b\.ts: no float arithmetic on money: line 1: not every currency/),
      expect.stringMatching(/b\.ts: no float arithmetic on money: line 2: parseFloat/),
    ]);
  });

  it('finds walks that may find nothing, and paths with %20, in tests and tools too', () => {
    const file = `import { globSync } from 'node:fs';\nexport const a = globSync('*.ts');\nexport const b = `;
    const tree = {
      'apps/web/src/a.test.ts': `${file}new URL('../', import.meta.url).pathname;\n`,
      'tools/b.ts': `export const b = new URL(import.meta.url).pathname;\n`,
      'packages/domain/src/c.ts': `export const c = (x: string) => new URL(x, 'http://here').pathname;\n`,
    };
    expect(faults(tree)).toEqual([
      expect.stringMatching(/a\.test\.ts: one walk over files: line 2/),
      expect.stringMatching(/a\.test\.ts: paths are not addresses: line 3/),
      expect.stringMatching(/b\.ts: paths are not addresses: line 1/),
    ]);
    expect(() => filesMatching(root, /\.css$/)).toThrow('no file in ');
  });

  it('finds spreads of literals, wherever the members could stand themselves', () => {
    const tree = {
      'apps/web/src/a.test.ts': `export const a = (x: object) => ({ ...{ y: 1, z: 2 }, ...x });\n`,
      'tools/b.ts': `export const b = (x: number[]) =>\n  [...[1, 2], ...x];\n`,
    };
    expect(faults(tree)).toEqual([
      expect.stringMatching(/a\.test\.ts: no spread of a literal: line 1/),
      expect.stringMatching(/b\.ts: no spread of a literal: line 2/),
    ]);
  });

  it('finds long files, by their lines of code', () => {
    const line = 'f();\n';
    const comments = '// why\n\n/**\n * how\n */\n';
    expect(faults({ 'tools/long.ts': comments + line.repeat(351) })).toEqual([
      expect.stringContaining('351 lines of code'),
    ]);
    expect(faults({ 'tools/long.ts': comments + line.repeat(350) })).toEqual([]);
  });
});
