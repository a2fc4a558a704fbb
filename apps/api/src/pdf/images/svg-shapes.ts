import { pathOperators } from './svg-path.ts';

type Attributes = Readonly<Record<string, string>>;

const numberOf = (attributes: Attributes, name: string): number => {
  const value = Number.parseFloat(attributes[name] ?? '0');
  return Number.isFinite(value) ? value : 0;
};

/** Path operators of a basic shape (SVG 2, chapter 10); empty for elements that are not drawn. */
export function shapeOperators(tag: string, attributes: Attributes): string {
  const get = (name: string): number => numberOf(attributes, name);
  if (tag === 'path') return pathOperators(attributes['d'] ?? '');
  if (tag === 'circle') return ellipse(get('cx'), get('cy'), get('r'), get('r'));
  if (tag === 'ellipse') return ellipse(get('cx'), get('cy'), get('rx'), get('ry'));
  if (tag === 'rect') return rectangle(attributes);
  if (tag === 'line') return pathOperators(`M${get('x1')} ${get('y1')}L${get('x2')} ${get('y2')}`);
  if (tag === 'polygon') return pathOperators(`M${attributes['points'] ?? ''}Z`);
  if (tag === 'polyline') return pathOperators(`M${attributes['points'] ?? ''}`);
  return '';
}

function ellipse(cx: number, cy: number, rx: number, ry: number): string {
  if (!(rx > 0 && ry > 0)) return '';
  const half = `${rx} ${ry} 0 1 1`;
  return pathOperators(`M${cx - rx} ${cy}A${half} ${cx + rx} ${cy}A${half} ${cx - rx} ${cy}Z`);
}

function rectangle(attributes: Attributes): string {
  const get = (name: string): number => numberOf(attributes, name);
  const [x, y, width, height] = [get('x'), get('y'), get('width'), get('height')];
  if (!(width > 0 && height > 0)) return '';
  const rx = Math.min(width / 2, get('rx') || get('ry'));
  const ry = Math.min(height / 2, get('ry') || get('rx'));
  if (!(rx > 0 && ry > 0)) return pathOperators(`M${x} ${y}h${width}v${height}h${-width}Z`);
  const corner = `a${rx} ${ry} 0 0 1`;
  return pathOperators(
    `M${x + rx} ${y}h${width - 2 * rx}${corner} ${rx} ${ry}v${height - 2 * ry}${corner} ${-rx} ${ry}` +
      `h${2 * rx - width}${corner} ${-rx} ${-ry}v${2 * ry - height}${corner} ${rx} ${-ry}Z`,
  );
}
