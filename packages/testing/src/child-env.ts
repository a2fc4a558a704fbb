import process from 'node:process';

/**
 * What a process that a test starts gets of the test's own settings: where programs are, whose home, and where Node keeps
 * what it has compiled. Nothing of the product's.
 */
export const childEnv = (): Readonly<Record<string, string | undefined>> => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
});
