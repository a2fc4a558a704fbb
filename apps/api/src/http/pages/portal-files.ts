import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The portal's entry pages. */
export const PAGES = [
  'index.html',
  'sign-in.html',
  'reset-password.html',
  'finish-registration.html',
  'pay.html',
  'console.html',
] as const;
export type PageName = (typeof PAGES)[number];

/** What of the built portal is not there, so that some page cannot be served. @param dist folder of the built portal */
export const missingPages = (dist: string): readonly string[] =>
  [...PAGES, 'assets'].filter((name) => !existsSync(join(dist, name)));
