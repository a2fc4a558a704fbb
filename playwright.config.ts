import { defineConfig } from '@playwright/test';
import type { StackName } from './e2e/support/stack/control.ts';
import { installedPostgres } from './e2e/support/stack/external-postgres.ts';
import { findBrowser } from './tools/browser.ts';

const { executablePath, env, args } = await findBrowser();
const embedded = 'embedded PostgreSQL';
const external = 'external PostgreSQL';
const last = 'card-numbers.spec.ts';
const summary = process.env['PLAYWRIGHT_SUMMARY'];

export default defineConfig<object, { stackName: StackName }>({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/stack.ts',
  // For two processors: a third one takes no less time in all, and each test three times as long.
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  // A flaky test is a fault of the test or of the product: here it fails. A shared machine may be slow at any
  // moment, so there it may pass at a second try, and the list names it as flaky.
  retries: process.env['CI'] === undefined ? 0 : 1,
  // For what hangs, not for what is slow.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: summary ? [['list'], ['json', { outputFile: summary }]] : [['list']],
  projects: [
    { name: embedded, use: { stackName: 'embedded' }, testIgnore: last },
    ...(installedPostgres() === undefined
      ? []
      : [{ name: external, use: { stackName: 'external' as const }, grep: /@external/ }]),
    // Looks for what the others must not have left behind.
    { name: 'what is left', use: { stackName: 'embedded' }, testMatch: last, dependencies: [embedded] },
  ],
  use: {
    browserName: 'chromium',
    headless: true,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Without a graphics card what moves is painted by the processor: a third of the work of loading a page.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace costs a third of the processor time: a whole run keeps one of second tries only, and a run of chosen files
    // (`runPlaywright`) of what fails.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [...args],
      env: { ...(process.env as Record<string, string>), ...env },
    },
  },
});
