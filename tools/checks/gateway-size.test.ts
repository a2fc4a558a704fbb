/** How large a gateway's folder may be, sandbox and tests included: docs/adr/0078-size-of-a-gateway.md says why. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatewayFolders } from '../generate/registries.ts';
import { root } from '../process.ts';
import { projectFiles } from '../project-files.ts';

interface Size {
  readonly files: number;
  readonly lines: number;
}

/** What a gateway may have unless it stands below. */
const usual: Size = { files: 13, lines: 3_500 };
/** Those that cannot be smaller now: what they measure, and some lines for mending. */
const larger: Readonly<Record<string, Partial<Size>>> = {
  'authorize-net': { files: 27, lines: 5_850 },
  bpoint: { files: 20 },
  gocardless: { files: 20, lines: 4_800 },
  moneris: { files: 14 },
  nexio: { files: 19, lines: 4_200 },
  pinch: { files: 16, lines: 3_650 },
  stripe: { files: 48, lines: 10_100 },
};
/** A bound that is wider than this has to follow what it bounds. */
const slack: Size = { files: 0, lines: 200 };

const source = join(root, 'packages/gateways/src');
const sizeOf = (folder: string): Size => {
  const files = projectFiles(folder);
  const lines = files.map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1);
  return { files: files.length, lines: lines.reduce((sum, one) => sum + one, 0) };
};

describe.each(gatewayFolders(source))('the folder of $id', ({ id }) => {
  const size = sizeOf(join(source, id));
  it.each(['files', 'lines'] as const)('has no more %s than its bound', (what) => {
    const own = larger[id]?.[what];
    expect(size[what]).toBeLessThanOrEqual(own ?? usual[what]);
    if (own !== undefined) expect(own, 'the bound is too wide').toBeLessThanOrEqual(size[what] + slack[what]);
  });
});

it('bounds are of gateways there are, and wider than the usual', () => {
  const ids = gatewayFolders(source).map(({ id }) => id);
  for (const [id, { files = Infinity, lines = Infinity }] of Object.entries(larger)) {
    expect(ids).toContain(id);
    expect(files).toBeGreaterThan(usual.files);
    expect(lines).toBeGreaterThan(usual.lines);
  }
});
