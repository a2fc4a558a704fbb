/** One line's height, the same on the page and in the frame, so that nothing moves when the frame arrives. */
import type { FieldOptions } from './protocol.ts';

const defaultSize = 16;
const defaultLine = 1.25;

/** Height of a line in whole pixels, from the style's font size and line height. */
export function lineBoxPx(style: FieldOptions['style']): number {
  const { fontSize, lineHeight } = style?.base ?? {};
  const size = pixels(fontSize) ?? defaultSize;
  const line = pixels(lineHeight) ?? size * (Number(lineHeight ?? defaultLine) || defaultLine);
  return Math.ceil(line);
}

function pixels(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)(px|rem)$/.exec(value.trim()) : null;
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === 'rem' ? defaultSize : 1);
}
