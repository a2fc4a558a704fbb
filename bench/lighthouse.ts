import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo } from '../e2e/support/demo.ts';
import { PortalStack } from '../e2e/support/stack/portal-stack.ts';
import { type LighthouseCategory, runLighthouse } from '../tools/lighthouse.ts';
import { buildWeb } from '../tools/web-build.ts';
import { printFigure } from './support/figure.ts';

/**
 * Lighthouse (mobile) of the pages a person may open without having been here before; the middle of three runs. A figure
 * below its limit makes the exit code 1.
 */
const ROUNDS = 3;
const limits: Readonly<Record<LighthouseCategory, number>> = {
  performance: 99,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};
const categories = Object.keys(limits) as LighthouseCategory[];

if ((await buildWeb()) !== 0) throw new Error('the portal could not be built');
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
const stack = await PortalStack.start({ folder, hasDemo: true });
try {
  const demo = JSON.parse(stack.facts.demo ?? '{}') as Demo;
  const payable = demo.invoices.find(({ state, payLink }) => state === 'open' && payLink !== null);
  const pages = {
    'sign-in': { url: `${stack.facts.url}/login` },
    'pay page': { url: payable?.payLink ?? '', isPrivate: true },
  };
  const reports = await runLighthouse(Object.values(pages), categories, ROUNDS);
  for (const [at, page] of Object.keys(pages).entries()) {
    const report = reports[at];
    if (report === undefined) continue;
    const print = (figure: string, value: number, unit: string, limit: number, isMost = false) => {
      printFigure({ bench: 'lighthouse', figure: `${page}: ${figure}`, value, unit, limit, isMost });
      if (isMost ? value > limit : value < limit) process.exitCode = 1;
    };
    for (const name of categories) print(name, report.scores[name] ?? 0, 'of 100', limits[name]);
    print('largest paint', report.largestPaintMs ?? 0, 'ms', 2_500, true);
    for (const fault of report.faults) process.stderr.write(`${page}: not passed: ${fault}\n`);
    if (report.layoutShift !== 0) process.exitCode = 1;
    process.stderr.write(`${page}: layout shift ${report.layoutShift}\n`);
  }
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
