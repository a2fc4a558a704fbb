import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, root, runScript } from './process.ts';

/** The tasks of run.mjs that are not the product itself. Each gives its exit code. */
const tasks: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  async test(args) {
    const { runningSteps, staticSteps } = await import('./steps.ts');
    const { runSteps } = await import('./run-steps.ts');
    if (args.length === 0) return runSteps([staticSteps, ...runningSteps]);
    const { chosenSteps } = await import('./chosen-tests.ts');
    const steps = chosenSteps(args, process.env['INIT_CWD'] ?? root);
    if (typeof steps === 'string') {
      process.stderr.write(`${steps}\n`);
      return 1;
    }
    process.stdout.write('Only what is named; npm test without paths runs all checks and tests.\n');
    return runSteps(steps);
  },
  async dev() {
    return (await import('./dev.ts')).dev();
  },
  async package(args) {
    return (await import('./package/make.ts')).packageCommand(args, process.env['INIT_CWD'] ?? root);
  },
  async 'verify-package'(args) {
    return (await import('./package/verify.ts')).verifyCommand(args, process.env['INIT_CWD'] ?? root);
  },
  async commits(args) {
    return (await import('./commits.ts')).checkCommits(args);
  },
  async upgrade(args) {
    return (await import('./upgrade.ts')).upgradeFrom(args);
  },
  async check() {
    const { staticSteps } = await import('./steps.ts');
    const { runSteps } = await import('./run-steps.ts');
    return runSteps([staticSteps]);
  },
  async prove(args) {
    const { runPlaywright, runVitest } = await import('./steps.ts');
    const { runSteps } = await import('./run-steps.ts');
    const env = { PROVE: '1' };
    const endToEnd = args.filter((path) => /^e2e(\/|$)/.test(path));
    const others = args.filter((path) => !endToEnd.includes(path));
    const isAll = args.length === 0;
    return runSteps([
      ...(isAll || others.length > 0 ? [{ name: 'long runs', run: () => runVitest(others, env) }] : []),
      ...(isAll || endToEnd.length > 0
        ? [{ name: 'long end-to-end runs', run: () => runPlaywright(endToEnd, env) }]
        : []),
    ]);
  },
  async bench(args) {
    const names = readdirSync(join(root, 'bench'))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => file.slice(0, -'.ts'.length));
    const unknown = args.filter((name) => !names.includes(name));
    if (unknown.length > 0) {
      process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}.\n`);
      return 1;
    }
    // What is measured is what runs: the built portal and the built server.
    let worst = await (await import('./web-build.ts')).buildWeb();
    if (worst === 0) worst = await (await import('./server-build.ts')).buildServer();
    if (worst !== 0) return worst;
    for (const name of args.length > 0 ? args : names) {
      worst = Math.max(worst, (await runScript(join(root, 'bench', `${name}.ts`))).code);
    }
    return worst;
  },
  async generate() {
    return (await import('./generate.ts')).generate();
  },
  async format() {
    return (await runScript(packageFile('@biomejs/biome/bin/biome'), ['check', '--write', '.'])).code;
  },
  async 'new-gateway'(args) {
    return (await import('./new-gateway.ts')).newGateway(args, root);
  },
  async 'build-web'() {
    return (await import('./web-build.ts')).buildWeb();
  },
  async 'build-server'() {
    return (await import('./server-build.ts')).buildServer();
  },
};

const [name = '', ...args] = process.argv.slice(2);
const task = tasks[name];
if (task) process.exitCode = await task(args);
else {
  process.stderr.write(
    `There is no task "${name}". There are: start, counterfoil, ${Object.keys(tasks).join(', ')}.\n`,
  );
  process.exitCode = 1;
}
