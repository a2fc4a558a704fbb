import { isIdeographic, isInvisible, isMark } from './scripts.ts';

const notAtStart =
  /[\s!%),.:;?\]}’”·…、。〉》」』】〕〗！％），．：；？］｝ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/;
const notAtEnd = /[([{‘“〈《「『【〔〖（［｛$£¥€]/;
const wordChar = /[\p{L}\p{N}]/u;

/**
 * Positions at which a line may end: after spaces, after a hyphen or slash inside a word, and between
 * ideographs, where punctuation allows it.
 * @returns ascending positions in UTF-16 code units, the end of the text last
 */
export function breakPositions(text: string): readonly number[] {
  const positions: number[] = [];
  let beforePrevious = '';
  let previous = '';
  let at = 0;
  for (const char of text) {
    if (previous !== '' && mayBreak(beforePrevious, previous, char)) positions.push(at);
    beforePrevious = previous;
    previous = char;
    at += char.length;
  }
  positions.push(text.length);
  return positions;
}

function mayBreak(beforeLeft: string, left: string, right: string): boolean {
  if (right === ' ') return false;
  if (left === ' ') return true;
  if ((left === '-' || left === '/') && wordChar.test(beforeLeft) && wordChar.test(right)) return true;
  if (!isIdeographic(left) && !isIdeographic(right)) return false;
  return !notAtStart.test(right) && !notAtEnd.test(left) && !isMark(right) && !isInvisible(right);
}

/** Positions inside an overlong word at which it may be cut: between characters, never before a mark. */
export function cutPositions(text: string, start: number, end: number): readonly number[] {
  const positions: number[] = [];
  let at = start;
  for (const char of text.slice(start, end)) {
    if (at > start && !isMark(char) && !isInvisible(char)) positions.push(at);
    at += char.length;
  }
  positions.push(end);
  return positions;
}
