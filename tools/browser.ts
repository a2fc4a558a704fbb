import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageFile, root, run } from './process.ts';

/** How to start Chromium here. */
export interface Browser {
  readonly executablePath: string;
  /** Added to the environment of the browser, and of nothing else. */
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No sandbox: it needs rights that containers and root do not have, and only our own pages are opened. */
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'];

/**
 * Finds Chromium: CHROME_PATH, else an installed one, else the one from npm, unpacked at first use.
 * COUNTERFOIL_NPM_BROWSER=1 forces the last.
 * @throws {Error} when CHROME_PATH names nothing, or the npm one cannot be unpacked
 */
export async function findBrowser(): Promise<Browser> {
  if (process.env['COUNTERFOIL_NPM_BROWSER'] !== '1') {
    const named = process.env['CHROME_PATH'];
    if (named) {
      if (!existsSync(named)) throw new Error(`CHROME_PATH: there is no ${named}`);
      return { executablePath: named, env: {}, args };
    }
    const found = installed.find((path) => existsSync(path));
    if (found) return { executablePath: found, env: {}, args };
  }
  return npmBrowser();
}

async function npmBrowser(): Promise<Browser> {
  const manifest = readFileSync(packageFile('@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(root, 'node_modules', '.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpack(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
    args,
  };
}

/**
 * The package unpacks into the temporary directory it sees, and the libraries only where it believes to be on
 * Amazon's functions; so it runs in a process of its own that is told both. Its font configuration names a
 * folder that does not exist here, so ours replaces it.
 */
async function unpack(folder: string): Promise<void> {
  const unfinished = join(dirname(folder), `.${basename(folder)}.${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
  const { code, output } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    env: { TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
    output: 'keep',
  });
  if (code !== 0) throw new Error(`Chromium could not be unpacked:\n${output}`);
  mkdirSync(join(unfinished, 'fontconfig-cache'));
  writeFileSync(join(unfinished, 'fonts.conf'), fontConfiguration(folder));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another process was first
  }
}

function fontConfiguration(folder: string): string {
  const directories = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${directories.map((directory) => `  <dir>${directory}</dir>`).join('\n')}
  <cachedir>${join(folder, 'fontconfig-cache')}</cachedir>
</fontconfig>
`;
}
