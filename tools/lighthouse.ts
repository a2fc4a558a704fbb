import { freePort } from '@counterfoil/testing/ports.ts';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { findBrowser } from './browser.ts';

export type LighthouseCategory = 'performance' | 'accessibility' | 'best-practices' | 'seo';

export interface LighthousePage {
  readonly url: string;
  /** It asks search engines to stay away, as it should: that is not counted against it. */
  readonly isPrivate?: boolean;
}

/** What Lighthouse says of one page. */
export interface LighthouseReport {
  /** 0 to 100; undefined where it was not asked for. */
  readonly scores: Readonly<Partial<Record<LighthouseCategory, number>>>;
  /** Milliseconds to the largest paint, on Lighthouse's slow phone; undefined without performance. */
  readonly largestPaintMs: number | undefined;
  readonly layoutShift: number | undefined;
  /** Titles of the audits of these categories that did not pass. */
  readonly faults: readonly string[];
}

/**
 * Runs Lighthouse as it is for a phone (its own throttling) with the project's Chromium.
 * @param rounds the middle one by performance counts
 * @throws {Error} when a page could not be loaded
 */
export async function runLighthouse(
  pages: readonly LighthousePage[],
  categories: readonly LighthouseCategory[],
  rounds = 1,
): Promise<LighthouseReport[]> {
  const { executablePath, env, args } = await findBrowser();
  const port = await freePort();
  // Playwright's own pipe ends the browser with this process.
  const browser = await chromium.launch({
    executablePath,
    args: [...args, `--remote-debugging-port=${port}`],
    env: { ...(process.env as Record<string, string>), ...env },
  });
  try {
    const reports: LighthouseReport[] = [];
    for (const page of pages) {
      const all: LighthouseReport[] = [];
      for (let round = 0; round < rounds; round += 1) all.push(await reportOf(page, port, categories));
      const sorted = all.toSorted((a, b) => (a.scores.performance ?? 0) - (b.scores.performance ?? 0));
      const middle = sorted[sorted.length >> 1];
      if (middle !== undefined) reports.push(middle);
    }
    return reports;
  } finally {
    await browser.close();
  }
}

async function reportOf(
  { url, isPrivate = false }: LighthousePage,
  port: number,
  categories: readonly LighthouseCategory[],
): Promise<LighthouseReport> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'silent',
    onlyCategories: [...categories],
    skipAudits: isPrivate ? ['is-crawlable'] : null,
  });
  if (result === undefined) throw new Error(`Lighthouse gave nothing for ${url}`);
  const { lhr } = result;
  if (lhr.runtimeError !== undefined) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  const found = Object.values(lhr.categories);
  const audits = found
    .flatMap(({ auditRefs }) => auditRefs)
    .flatMap(({ id, weight }) => (weight > 0 ? (lhr.audits[id] ?? []) : []));
  return {
    scores: Object.fromEntries(found.map(({ id, score }) => [id, Math.round((score ?? 0) * 100)])),
    largestPaintMs: lhr.audits['largest-contentful-paint']?.numericValue,
    layoutShift: lhr.audits['cumulative-layout-shift']?.numericValue,
    faults: audits.filter(({ score }) => score !== null && score < 1).map(({ title }) => title),
  };
}
