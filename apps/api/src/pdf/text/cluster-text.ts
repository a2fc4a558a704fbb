import { isInvisible, isMark } from './scripts.ts';

const lam = 'ل';
const alefs = 'اأإآ';

/**
 * Shares the characters of a shaped run out among its clusters, both in reading order. A letter keeps its marks;
 * where there are fewer clusters than letters, lam and alef have become one.
 * @param count number of clusters
 * @returns the text of each cluster
 */
export function clusterTexts(text: string, count: number): readonly string[] {
  const units: string[] = [];
  for (const char of text) {
    if (units.length > 0 && (isMark(char) || isInvisible(char))) units.push((units.pop() ?? '') + char);
    else units.push(char);
  }
  for (let i = 0; i < units.length - 1 && units.length > count; i++) {
    const [first = '', second = ''] = [units[i], units[i + 1]];
    if (first.startsWith(lam) && alefs.includes(second.charAt(0))) units.splice(i, 2, first + second);
  }
  if (units.length > count) units.splice(count - 1, units.length, units.slice(count - 1).join(''));
  return Array.from({ length: count }, (_, index) => units[index] ?? '');
}
