import { colourOperands, num } from '../writer/syntax.ts';

/** How a shape is painted; undefined is 'none'. */
export interface Paint {
  readonly fill: string | undefined;
  readonly stroke: string | undefined;
  readonly strokeWidth: number;
  readonly isEvenOdd: boolean;
  readonly cap: number;
  readonly join: number;
}

const initial: Paint = {
  fill: '#000000',
  stroke: undefined,
  strokeWidth: 1,
  isEvenOdd: false,
  cap: 0,
  join: 0,
};
const caps: Record<string, number> = { butt: 0, round: 1, square: 2 };
const joins: Record<string, number> = { miter: 0, round: 1, bevel: 2 };
const names: Record<string, string> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  orange: '#ffa500',
  gray: '#808080',
  grey: '#808080',
};

/** Presentation attributes over what is inherited; a `style` attribute counts like them. */
export function paintOf(attributes: Readonly<Record<string, string>>, inherited: Paint = initial): Paint {
  const style = Object.fromEntries(
    (attributes['style'] ?? '').split(';').map((rule) => {
      const [name = '', value = ''] = rule.split(':');
      return [name.trim(), value.trim()];
    }),
  );
  const get = (name: string): string | undefined => style[name] || attributes[name];
  const width = Number.parseFloat(get('stroke-width') ?? '');
  return {
    fill: colour(get('fill'), inherited.fill),
    stroke: colour(get('stroke'), inherited.stroke),
    strokeWidth: width >= 0 ? width : inherited.strokeWidth,
    isEvenOdd: (get('fill-rule') ?? (inherited.isEvenOdd ? 'evenodd' : '')) === 'evenodd',
    cap: caps[get('stroke-linecap') ?? ''] ?? inherited.cap,
    join: joins[get('stroke-linejoin') ?? ''] ?? inherited.join,
  };
}

function colour(value: string | undefined, inherited: string | undefined): string | undefined {
  if (value === undefined || value === 'inherit') return inherited;
  if (value === 'none' || value === 'transparent') return undefined;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(value);
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  const rgb = /^rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*\)$/.exec(value);
  if (rgb)
    return `#${rgb
      .slice(1)
      .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
      .join('')}`;
  if (/^#[0-9a-f]{6}$/i.test(value)) return value;
  return names[value.toLowerCase()] ?? '#000000';
}

/** Path operators with the operators that paint them; empty where nothing would be seen. */
export function paintOperators(path: string, paint: Paint): string {
  if (path === '') return '';
  const isStroked = paint.stroke !== undefined && paint.strokeWidth > 0;
  let out = '';
  if (paint.fill !== undefined) out += `${colourOperands(paint.fill)} rg\n`;
  if (isStroked) {
    out += `${colourOperands(paint.stroke ?? '')} RG\n${num(paint.strokeWidth)} w ${paint.cap} J ${paint.join} j\n`;
  }
  const evenOdd = paint.isEvenOdd ? '*' : '';
  if (paint.fill !== undefined) return `${out}${path}${isStroked ? 'B' : 'f'}${evenOdd}\n`;
  return isStroked ? `${out}${path}S\n` : '';
}
