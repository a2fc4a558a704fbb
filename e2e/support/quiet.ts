import { expect, type Page, type Request } from '@playwright/test';

/** What a page has asked for. */
interface Traffic {
  /** Not answered to the end yet. */
  readonly open: Set<Request>;
  made: number;
}

const watched = new WeakMap<Page, Traffic>();
/** Answers of a slow line are waited for as well. */
const WITHIN_MS = 30_000;

function watch(page: Page): Traffic {
  const traffic: Traffic = { open: new Set(), made: 0 };
  page.on('request', (request) => {
    // The end of what a page asked for that has been left may never be told.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) traffic.open.clear();
    traffic.open.add(request);
    traffic.made += 1;
  });
  const end = (request: Request) => traffic.open.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  watched.set(page, traffic);
  return traffic;
}

/** Resolves when the page has drawn what it knows and has nothing else to do. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    await new Promise((idle) => requestIdleCallback(idle, { timeout: 1_000 }));
  });

/**
 * Waits until a page has nothing under way and has drawn what came. An answer that leads to another request does so by
 * the time it is drawn, so that the half second without requests of `networkidle` need not pass on each page. That is
 * waited for only where this is asked of a page for the first time, of whose requests nothing is known.
 */
export async function quiet(page: Page): Promise<void> {
  const known = watched.get(page);
  const traffic = known ?? watch(page);
  await page.waitForLoadState(known === undefined ? 'networkidle' : 'load');
  for (let made = -1; made !== traffic.made; ) {
    await expect.poll(() => traffic.open.size, { intervals: [20], timeout: WITHIN_MS }).toBe(0);
    made = traffic.made;
    await drawn(page);
  }
}
