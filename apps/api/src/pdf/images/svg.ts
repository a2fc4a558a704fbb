import { XMLParser } from 'fast-xml-parser';
import { compress } from '../writer/pdf-file.ts';
import { num } from '../writer/syntax.ts';
import type { Artwork } from './artwork.ts';
import { type Paint, paintOf, paintOperators } from './svg-paint.ts';
import { shapeOperators } from './svg-shapes.ts';
import { transformOperators } from './svg-transform.ts';

/** An element as the parser gives it: one key with its children, attributes under ':@'. */
type Node = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
});
const longestSource = 200_000;
const deepest = 32;

/**
 * Draws a simple SVG logo: groups, paths and basic shapes with flat fills and strokes. Scripts, styles, text,
 * gradients, embedded pictures and references are not drawn; nothing outside the file is ever read.
 * @throws {Error} when it is not an SVG, or nothing in it can be drawn
 */
export function readSvg(data: Uint8Array): Artwork {
  if (data.length > longestSource) throw new Error('SVG is too large');
  const nodes: unknown = parser.parse(Buffer.from(data).toString('utf8'));
  const svg = (Array.isArray(nodes) ? (nodes as Node[]) : []).find((node) => 'svg' in node);
  if (!svg) throw new Error('not an SVG');
  const box = viewBox(attributesOf(svg));
  const content = drawChildren(svg['svg'], paintOf(attributesOf(svg), undefined), 0);
  if (content === '') throw new Error('SVG without anything to draw');
  const [x, y, width, height] = box;
  const toUnit = [1 / width, 0, 0, -1 / height, -x / width, 1 + y / height]
    .map((value) => value.toFixed(8))
    .join(' ');
  const entries =
    `/Type/XObject/Subtype/Form/BBox[${box[0]} ${y} ${num(x + width)} ${num(y + height)}]/Matrix[${toUnit}]` +
    '/Resources<<>>/Filter/FlateDecode';
  const body = compress(content, 9);
  return { ratio: width / height, write: (file) => file.stream(entries, body) };
}

const attributesOf = (node: Node): Readonly<Record<string, string>> =>
  (node[':@'] ?? {}) as Readonly<Record<string, string>>;

function viewBox(attributes: Readonly<Record<string, string>>): [number, number, number, number] {
  const numbers = (attributes['viewBox'] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [x = Number.NaN, y = 0, width = 0, height = 0] = numbers;
  const box: [number, number, number, number] =
    numbers.length === 4
      ? [x, y, width, height]
      : [0, 0, size(attributes['width']), size(attributes['height'])];
  if (!box.every(Number.isFinite) || box[2] <= 0 || box[3] <= 0) throw new Error('SVG without a size');
  return box;
}

const size = (value: string | undefined): number => Number.parseFloat(value ?? '');

function drawChildren(children: unknown, inherited: Paint, depth: number): string {
  if (!Array.isArray(children) || depth > deepest) return '';
  return (children as Node[]).map((child) => drawNode(child, inherited, depth + 1)).join('');
}

function drawNode(node: Node, inherited: Paint, depth: number): string {
  const tag = Object.keys(node).find((key) => key !== ':@');
  if (tag === undefined) return '';
  const attributes = attributesOf(node);
  if (attributes['display'] === 'none') return '';
  const paint = paintOf(attributes, inherited);
  const body =
    tag === 'g' || tag === 'a'
      ? drawChildren(node[tag], paint, depth)
      : paintOperators(shapeOperators(tag, attributes), paint);
  const transform = transformOperators(attributes['transform']);
  return body === '' || transform === '' ? body : `q ${transform}${body}Q\n`;
}
