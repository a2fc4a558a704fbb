import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { root } from './process.ts';
import { runPlaywright, runVitest, type Step } from './steps.ts';

/**
 * The steps that run chosen test files or folders only, without the other checks.
 * @param paths relative to where the caller is, or to the project
 * @param from where the caller is
 * @returns one line instead where one of them is no path of the project
 */
export function chosenSteps(paths: readonly string[], from: string): Step[] | string {
  const places = paths.map((path) => ({ path, inside: insideProject(path, from) }));
  const wrong = places.find(({ inside }) => inside === undefined);
  if (wrong !== undefined) {
    return `There is no ${wrong.path} in the project: npm test takes files and folders, and without any runs all checks and tests.`;
  }
  const inside = places.map((place) => place.inside ?? '');
  const endToEnd = inside.filter((path) => path.split('/')[0] === 'e2e');
  const others = inside.filter((path) => !endToEnd.includes(path));
  const steps: Step[] = [];
  if (others.length > 0) {
    steps.push({ name: `only the tests of ${others.join(', ')}`, run: () => runVitest(others) });
  }
  if (endToEnd.length > 0) {
    steps.push({
      name: `only the end-to-end tests of ${endToEnd.join(', ')}`,
      run: () => runPlaywright([...endToEnd, '--trace=retain-on-failure']),
    });
  }
  return steps;
}

function insideProject(path: string, from: string): string | undefined {
  for (const base of [from, root]) {
    const inside = relative(root, resolve(base, path));
    const isOutside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
    if (!isOutside && existsSync(resolve(root, inside))) return inside.split(sep).join('/');
  }
  return undefined;
}
