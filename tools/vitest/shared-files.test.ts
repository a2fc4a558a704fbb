import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFiles } from './shared-files.ts';

const FIXTURES = 'apps/api/test/fixtures';

it('files share a process, except where they replace modules or stand over hooks that a fixture registers as it loads', () => {
  const files = {
    [`${FIXTURES}/use.ts`]: 'export function useApp() {\n  beforeAll(start);\n}',
    [`${FIXTURES}/hooks.ts`]: "import { useApp } from './use.ts';\nexport const app = useApp();",
    [`${FIXTURES}/over-hooks.ts`]: "import {\n  app,\n} from './hooks.ts';",
    [`${FIXTURES}/resets.ts`]: 'beforeEach(() => reset());',
    [`${FIXTURES}/types.ts`]: "import type { App } from './hooks.ts';",
    'apps/api/src/a/calls-use.test.ts':
      "import { useApp } from '../../test/fixtures/use.ts';\nconst app = useApp();",
    'apps/api/src/a/over-types.test.ts': "import { a } from '../../test/fixtures/types.ts';",
    'apps/api/src/a/over-hooks.test.ts': "import { app } from '../../test/fixtures/over-hooks.ts';",
    'apps/api/src/a/over-resets.test.ts': "import '../../test/fixtures/resets.ts';",
    'apps/api/src/a/mocks.test.ts': "vi.mock('node:fs');",
    'apps/api/test/paying/kills.test.ts': '',
    'apps/web/src/page.test.tsx': '',
    'packages/domain/src/money.test.ts': '',
    'tools/rules.test.ts': '',
  };
  const root = mkdtempSync(join(tmpdir(), 'shared-files-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect(sharedFiles(root)).toEqual([
    'apps/api/src/a/calls-use.test.ts',
    'apps/api/src/a/over-types.test.ts',
    'apps/web/src/page.test.tsx',
    'packages/domain/src/money.test.ts',
  ]);
  rmSync(root, { recursive: true });
});
