import { describe, expect, it } from 'vitest';
import { areas } from './areas.ts';
import { findProofs, readTests } from './check.ts';
import { render } from './page.ts';
import { section, text } from './row.ts';

describe('render', () => {
  const area = {
    name: 'demo',
    rows: section({ prefix: 'portal.demo', source: 'portal §2' }, [
      text('paid', "Says that it is paid | for 'all'.", 'You paid {amount} to {company name}'),
      text('none', 'Says that there are none.'),
    ]),
  };
  const source = `it(\`a | b of \${c} [portal.demo.text.paid]\`, () => {});`;
  const { proofs } = findProofs([area], readTests([['e2e/demo.spec.ts', source]]));
  const page = render([area], proofs);

  it('counts rows, and those that are proven', () => {
    expect(page).toContain('| [demo](#demo) | 2 | 1 |');
    expect(page).toContain('| **All** | 2 | 1 |');
  });

  it('keeps pipes from ending a cell, and says where there is no proof', () => {
    expect(page).toContain("Says that it is paid \\| for 'all'. `You paid {amount} to {company name}`");
    expect(page).toContain('`e2e/demo.spec.ts`: a \\| b of … |');
    expect(page).toContain('| Says that there are none. | none |');
  });

  it('gives every row of the ledger five cells', () => {
    const lines = render(areas, new Map())
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(lines).toHaveLength(areas.flatMap(({ rows }) => rows).length);
    for (const line of lines) expect(line.split(/(?<!\\)\|/)).toHaveLength(7);
  });
});
