/** SVG transforms as PDF matrices, in the order they are written. Unknown ones are left out. */
export function transformOperators(value: string | undefined): string {
  let out = '';
  for (const [, name = '', list = ''] of (value ?? '').matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const numbers = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (!numbers.every(Number.isFinite)) continue;
    for (const matrix of matrices(name, numbers)) {
      out += `${matrix.map((entry) => (Number.isInteger(entry) ? String(entry) : entry.toFixed(6))).join(' ')} cm\n`;
    }
  }
  return out;
}

function matrices(name: string, numbers: readonly number[]): readonly (readonly number[])[] {
  const [a = 0, b = 0, c = 0] = numbers;
  if (name === 'matrix' && numbers.length === 6) return [numbers];
  if (name === 'translate') return [[1, 0, 0, 1, a, b]];
  if (name === 'scale') return [[a, 0, 0, numbers.length > 1 ? b : a, 0, 0]];
  if (name !== 'rotate') return [];
  const angle = (a * Math.PI) / 180;
  const rotation = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
  return [[1, 0, 0, 1, b, c], rotation, [1, 0, 0, 1, -b, -c]];
}
