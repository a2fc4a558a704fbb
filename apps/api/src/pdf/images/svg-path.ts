import { num } from '../writer/syntax.ts';
import { arcToCurves } from './svg-arc.ts';

const tokens = /([MmLlHhVvCcSsQqTtAaZz])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/g;
const argumentCount: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/**
 * SVG path data (SVG 2, chapter 9) as PDF path operators. As the standard asks, a path is drawn up to the first
 * error in it.
 */
export function pathOperators(data: string): string {
  const pen = new Pen();
  for (const { command, args } of commandsOf(data)) pen.step(command, args);
  return pen.out;
}

interface Command {
  readonly command: string;
  readonly args: readonly number[];
}

function commandsOf(data: string): Command[] {
  const commands: Command[] = [];
  let command = '';
  let args: number[] = [];
  for (const [, letter, number] of splitFlags(data).matchAll(tokens)) {
    if (letter !== undefined) {
      if (args.length > 0) return commands;
      command = letter;
      if (letter === 'Z' || letter === 'z') commands.push({ command, args: [] });
      continue;
    }
    if (command === '' || command === 'Z' || command === 'z') return commands;
    args.push(Number(number));
    if (args.length < (argumentCount[command.toUpperCase()] ?? 0)) continue;
    commands.push({ command, args });
    args = [];
    if (command === 'M') command = 'L';
    if (command === 'm') command = 'l';
  }
  return commands;
}

/** The two flags of an arc may stand without a separator ('a1 1 0 01.5.5'). */
function splitFlags(data: string): string {
  return data.replace(/[Aa][^A-DF-Za-df-z]*/g, (arc) => {
    const number = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?';
    const gap = '[\\s,]*';
    const flags = new RegExp(
      `(${number}${gap}${number}${gap}${number}${gap})([01])${gap}([01])${gap}(${number}${gap}${number})`,
      'g',
    );
    return arc.replace(flags, '$1 $2 $3 $4 ');
  });
}

class Pen {
  out = '';
  private x = 0;
  private y = 0;
  private startX = 0;
  private startY = 0;
  /** Reflected by the smooth curves that follow a curve of the same kind. */
  private control: { readonly kind: 'C' | 'Q'; readonly x: number; readonly y: number } | undefined;

  step(command: string, args: readonly number[]): void {
    const kind = command.toUpperCase();
    const isRelative = command !== kind;
    const [baseX, baseY] = isRelative ? [this.x, this.y] : [0, 0];
    const at = (index: number): [number, number] => [
      baseX + (args[index] ?? 0),
      baseY + (args[index + 1] ?? 0),
    ];
    const control = this.control;
    this.control = undefined;
    if (kind === 'M') {
      [this.startX, this.startY] = at(0);
      this.go('m', this.startX, this.startY);
    } else if (kind === 'L') this.go('l', ...at(0));
    else if (kind === 'H') this.go('l', at(0)[0], this.y);
    else if (kind === 'V') this.go('l', this.x, baseY + (args[0] ?? 0));
    else if (kind === 'C') this.curve(at(0), at(2), at(4));
    else if (kind === 'S') this.curve(this.reflect(control, 'C'), at(0), at(2));
    else if (kind === 'Q') this.quadratic(at(0), at(2));
    else if (kind === 'T') this.quadratic(this.reflect(control, 'Q'), at(0));
    else if (kind === 'A') {
      const [rx = 0, ry = 0, rotation = 0, large = 0, sweep = 0] = args;
      const shape = { rx, ry, rotation, isLarge: large !== 0, isSweep: sweep !== 0 };
      for (const [a, b, c] of arcToCurves([this.x, this.y], at(5), shape)) this.curve(a, b, c);
      this.control = undefined;
    } else if (kind === 'Z') {
      this.out += 'h\n';
      this.x = this.startX;
      this.y = this.startY;
    }
  }

  private go(operator: 'm' | 'l', x: number, y: number): void {
    this.out += `${num(x)} ${num(y)} ${operator}\n`;
    this.x = x;
    this.y = y;
  }

  private curve(
    a: readonly [number, number],
    b: readonly [number, number],
    end: readonly [number, number],
  ): void {
    this.out += `${[...a, ...b, ...end].map(num).join(' ')} c\n`;
    [this.x, this.y] = end;
    this.control = { kind: 'C', x: b[0], y: b[1] };
  }

  private quadratic([qx, qy]: readonly [number, number], [x, y]: readonly [number, number]): void {
    const from = [this.x, this.y] as const;
    const third = (start: number, control: number): number => start + ((control - start) * 2) / 3;
    this.curve([third(from[0], qx), third(from[1], qy)], [third(x, qx), third(y, qy)], [x, y]);
    this.control = { kind: 'Q', x: qx, y: qy };
  }

  private reflect(control: Pen['control'], kind: 'C' | 'Q'): [number, number] {
    return control?.kind === kind ? [2 * this.x - control.x, 2 * this.y - control.y] : [this.x, this.y];
  }
}
