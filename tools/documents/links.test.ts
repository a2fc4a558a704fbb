import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.ts';
import { filesMatching, projectFiles } from '../project-files.ts';

const files = projectFiles(root);
const pages = filesMatching(root, /^([^/]+|docs\/.+)\.md$/);
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Headings as the addresses that Markdown viewers give them. */
function anchors(page: string): string[] {
  const headings = [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text);
  const named = [...read(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [
    ...named,
    ...headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  ];
}

it.each(pages)('%s links to what is there', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const inside = links.filter((link) => !/^[a-z]+:/.test(link));
  const broken = inside.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : relative(root, join(root, dirname(page), path));
    if (!files.includes(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchors(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});
