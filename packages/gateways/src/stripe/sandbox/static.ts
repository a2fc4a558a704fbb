/** Files for browsers: the fake Stripe.js and the frame with the real card inputs. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { SandboxHost, SandboxReply, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };
const prefix = '/stripe/v3/';
const ready = new Map<string, string>();

/** Each file and what it is made of; several TypeScript files become one script. */
const files: Readonly<Record<string, readonly string[]>> = {
  'stripe.js': ['line-box.ts', 'element.ts', 'challenge.ts', 'stripe.ts'],
  'frame.js': ['card-rules.ts', 'line-box.ts', 'frame-style.ts', 'frame.ts'],
  'frame.html': ['frame.html'],
  'frame.css': ['frame.css'],
  'challenge-done.js': ['challenge-done.js'],
};

function contents(name: string, parts: readonly string[]): string {
  let text = ready.get(name);
  if (text === undefined) {
    text = name === parts[0] ? source(name) : bundle(parts);
    ready.set(name, text);
  }
  return text;
}

function source(name: string): string {
  return readFileSync(new URL(`../fake-stripe-js/${name}`, import.meta.url), 'utf8');
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
function bundle(parts: readonly string[]): string {
  const scripts = parts.map((part) =>
    quietly(() => stripTypeScriptTypes(source(part), { mode: 'strip' }))
      .replace(/^import\s[^;]*;$/gm, '')
      .replace(/^export /gm, ''),
  );
  return `(() => {\n'use strict';\n${scripts.join('\n')}\n})();\n`;
}

export function browserFile(host: SandboxHost, request: SandboxRequest): SandboxReply | undefined {
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
    body: contents(name, parts),
  };
}
