import { expect, it } from 'vitest';
import { contrastReport } from './contrast-rows.ts';

const kestrel = ['#ffffff', '#7ac143', '#a3a89b', '#e6f4d9', '#23452b', '#f4faee', '#e6ebe0'];

it('tells for each pair what was given, what it is moved to, and that it then holds', () => {
  const { rows, short } = contrastReport(kestrel);
  expect(short).toBe(0);
  expect(rows.filter((row) => row.light < row.least || row.dark < row.least)).toEqual([]);
  const [button, link] = rows;
  expect(button).toMatchObject({ id: 'button', mended: { from: '#ffffff' } });
  expect(button?.given).toBeCloseTo(2.2, 1);
  expect(link?.mended?.from).toBe('#7ac143');
  expect(rows.find(({ id }) => id === 'header')?.mended).toBeNull();
});

it('a text that is no colour yet, while it is typed, breaks nothing', () => {
  const { rows } = contrastReport(kestrel.with(1, '#7ac'.slice(0, 2)));
  expect(rows.find(({ id }) => id === 'link')?.given).toBeNull();
});
