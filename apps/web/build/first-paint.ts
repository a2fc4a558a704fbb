import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { minify, type Plugin, type Rolldown, transformWithOxc } from 'vite';
import { usedCss } from './used-css.ts';

/**
 * Makes a page's HTML all that its first paint needs: the rules it uses stand in the page, and where the server draws
 * markup its code comes right after that paint instead of competing with it.
 * @param page HTML file
 * @param next where the server draws the page's markup: the modules it imports as soon as it has started
 */
export function firstPaint(page: string, next: readonly string[] | undefined): Plugin {
  return {
    name: 'counterfoil-first-paint',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const html = bundle[page];
        if (html?.type !== 'asset') this.error(`${page} is not in the bundle`);
        const styled = withRules(String(html.source), bundle, page);
        const behind = next?.flatMap((module) => closureOf(module, bundle));
        html.source = behind ? withLateCode(styled, await loaderSource(), [...new Set(behind)]) : styled;
      },
    },
  };
}

const sheetLink = /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>/;

function withRules(html: string, bundle: Rolldown.OutputBundle, page: string): string {
  const [link = '', name = ''] = sheetLink.exec(html) ?? [];
  const sheet = bundle[name];
  if (sheet?.type !== 'asset') throw new Error(`${page} links no style sheet`);
  const rules = usedCss(String(sheet.source), codeOf(page, bundle));
  // The page carries what it needs of it, and nothing else links it.
  delete bundle[name];
  return html.replace(link, () => `<style nonce="__CSP_NONCE__">${rules}</style>`);
}

/** Everything the page may load, now or later. */
function codeOf(page: string, bundle: Rolldown.OutputBundle): string {
  const entry = Object.values(bundle).find(
    (item) => item.type === 'chunk' && item.isEntry && item.facadeModuleId?.endsWith(`/${page}`),
  );
  const seen = new Map<string, string>();
  const queue = entry ? [entry.fileName] : [];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const item = bundle[next];
    if (item?.type !== 'chunk' || seen.has(next)) continue;
    seen.set(next, item.code);
    queue.push(...item.imports, ...item.dynamicImports);
  }
  return [...seen.values()].join('\n');
}

/** The chunk of a module and all it cannot start without, as addresses. @param module path ending */
function closureOf(module: string, bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((item) => item.type === 'chunk');
  const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
  if (first === undefined) throw new Error(`${module} is in no chunk`);
  const found = new Set([first.fileName]);
  for (const name of found) {
    const imports = chunks.find(({ fileName }) => fileName === name)?.imports ?? [];
    for (const one of imports) if (one in bundle) found.add(one);
  }
  return [...found].map((name) => `/${name}`);
}

const entryScript = /\s*<script type="module" crossorigin src="([^"]+)"><\/script>/;
const preload = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g;

function withLateCode(html: string, loader: string, next: readonly string[]): string {
  const [script = '', entry = ''] = entryScript.exec(html) ?? [];
  if (script === '') throw new Error('the page has no entry script');
  const chunks = [...html.matchAll(preload)].map(([, href = '']) => href);
  const behind = next.filter((href) => href !== entry && !chunks.includes(href));
  const call = `(${loader})(${[entry, chunks, behind].map((part) => JSON.stringify(part)).join()})`;
  return html
    .replace(script, '')
    .replaceAll(preload, '')
    .replace('</body>', () => `  <script nonce="__CSP_NONCE__">${call}</script>\n  </body>`);
}

/** The function of src/lib/late-code.ts as a browser reads it. */
async function loaderSource(): Promise<string> {
  const file = fileURLToPath(new URL('../src/lib/late-code.ts', import.meta.url));
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file);
  const minified = await minify(file, code.replace('export function loadLate', 'self.loadLate = function'));
  return minified.code.replace('self.loadLate=', '').replace(/;?\s*$/, '');
}
