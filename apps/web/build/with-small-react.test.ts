import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderToString } from 'preact-render-to-string';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { createElement, useSyncExternalStore } from './small-react.ts';
import { withSmallReact } from './with-small-react.ts';

const folder = mkdtempSync(join(tmpdir(), 'small-react-'));

/** Builds one component as a small page's build does. @returns its code */
async function built(source: string): Promise<string> {
  const file = join(folder, 'part.tsx');
  writeFileSync(file, source);
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    plugins: [withSmallReact()],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: file, preserveEntrySignatures: 'strict' },
    },
  });
  const [chunk] = (result as Rolldown.RolldownOutput).output;
  return chunk.code;
}

it('builds a component of React on Preact', async () => {
  const code = await built(`
    import { useState } from 'react';
    export const Count = () => {
      const [count, setCount] = useState(0);
      return <button type="button" onClick={() => setCount(count + 1)}>{count}</button>;
    };`);
  expect(code).toContain('preact');
  expect(code).not.toMatch(/node_modules\/react(-dom)?\//);
});

const react = createRequire(import.meta.url).resolve('react');

it.each([
  [
    'a hook that Preact has not',
    "import { use } from 'react'; export const a = use;",
    /"use" is not exported/,
  ],
  [
    'a module that nothing stands for',
    "export { createPortal } from 'react-dom';",
    /nothing stands for react-dom/,
  ],
  ['React by its file', `export * from '${react}';`, /React is the portal's alone/],
  ['a ref that would not arrive', 'export const a = (f) => <TextInput ref={f} />;', /ref never arrives/],
])('a page without a session is not built with %s', async (_what, source, why) => {
  await expect(built(source)).rejects.toThrow(why);
});

it('draws what the server knows, not what it would find there itself', () => {
  const Part = () => {
    const who = useSyncExternalStore(
      () => () => undefined,
      () => 'browser',
      () => 'server',
    );
    return createElement('p', null, who);
  };
  expect(renderToString(createElement(Part, null))).toBe('<p>server</p>');
});
