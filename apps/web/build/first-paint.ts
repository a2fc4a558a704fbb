import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { minify, type Plugin, type Rolldown, transformWithOxc } from 'vite';
import { usedCss } from './used-css.ts';

/**
 * Makes a page's HTML all that its first paint needs: the rules it uses stand in the page, and where the server draws
 * markup its code comes right after that paint instead of competing with it.
 * @param pages HTML files
 * @param drawn those whose markup the server draws, each with the modules its entry imports as soon as it has started
 */
export function firstPaint(
  pages: readonly string[],
  drawn: Readonly<Record<string, readonly string[]>>,
): Plugin {
  return {
    name: 'counterfoil-first-paint',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const loader = await loaderSource();
        for (const page of pages) {
          const html = bundle[page];
          if (html?.type !== 'asset') this.error(`${page} is not in the bundle`);
          const styled = withRules(String(html.source), bundle, page);
          const next = drawn[page]?.flatMap((module) => closureOf(module, bundle));
          html.source = next ? withLateCode(styled, loader, next) : styled;
        }
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
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (first === undefined) throw new Error(`${module} has no chunk of its own`);
  const found = new Set([first.fileName]);
  for (const name of found) {
    for (const one of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) found.add(one);
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
