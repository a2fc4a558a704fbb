/** Files for browsers: a provider's script as the sandbox imitates it, and the frame with the real card inputs. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { SandboxHost, SandboxReply, SandboxRequest } from '../gateway-sandbox.ts';

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };
const ready = new Map<URL | readonly URL[], string>();

/** By file name, what it is made of: one file as it is, or several TypeScript files that become one script. */
export type BrowserFiles = Readonly<Record<string, URL | readonly URL[]>>;

const frameFile = (name: string) => new URL(`./card-frame/${name}`, import.meta.url);

/** The frame with the card inputs, and what its page needs. */
export const cardFrameFiles: BrowserFiles = {
  'frame.js': ['card-rules.ts', 'line-box.ts', 'frame-style.ts', 'frame.ts'].map(frameFile),
  'frame.html': frameFile('frame.html'),
  'frame.css': frameFile('frame.css'),
};
/** The page's side of the frame, for a provider's script to begin with. */
export const cardElementParts: readonly URL[] = ['line-box.ts', 'element.ts'].map(frameFile);

function contents(parts: URL | readonly URL[]): string {
  let text = ready.get(parts);
  if (text === undefined) {
    text = parts instanceof URL ? readFileSync(parts, 'utf8') : bundle(parts);
    ready.set(parts, text);
  }
  return text;
}

/** Node warns once that removing types by call is experimental; the pinned Node does it well enough. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Types are removed, and so are imports and exports, for the parts share one scope. */
function bundle(parts: readonly URL[]): string {
  const scripts = parts.map((part) =>
    quietly(() => stripTypeScriptTypes(readFileSync(part, 'utf8'), { mode: 'strip' }))
      .replace(/^import\s[^;]*;$/gm, '')
      .replace(/^export /gm, ''),
  );
  return `(() => {\n'use strict';\n${scripts.join('\n')}\n})();\n`;
}

/** Answers with the file whose name follows the prefix; `undefined` when there is none. */
export function browserFile(
  host: SandboxHost,
  request: SandboxRequest,
  prefix: string,
  files: BrowserFiles,
): SandboxReply | undefined {
  const name = request.path.startsWith(prefix) ? request.path.slice(prefix.length) : '';
  const parts = Object.hasOwn(files, name) ? files[name] : undefined;
  if (parts === undefined || request.method !== 'GET') return undefined;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const ancestors = host.portalOrigins.length === 0 ? "'none'" : host.portalOrigins.join(' ');
  return {
    kind: 'answer',
    status: 200,
    headers: {
      'content-type': `${types[extension] ?? 'text/plain'}; charset=utf-8`,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      ...(extension === 'html'
        ? {
            'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors ${ancestors}`,
            'referrer-policy': 'no-referrer',
          }
        : {}),
    },
    body: contents(parts),
  };
}
