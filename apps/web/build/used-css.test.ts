import { expect, it } from 'vitest';
import { usedCss } from './used-css.ts';

const sheet = [
  '@layer fallback{:root{--ink:#000}}',
  'body{margin:0}',
  '._a_x1_1{color:red}',
  '._a_x1_1,._b_x1_2:is(:hover,:focus){color:blue}',
  '._b_x1_2>p{margin:0}',
  '@media (width<=48rem){._b_x1_2{color:red}._a_x1_1{animation:_spin_x1_3 1s}}',
  '@media print{._b_x1_2{color:red}}',
  '@keyframes _spin_x1_3{to{rotate:1turn}}',
  '@keyframes _fade_x1_4{to{opacity:0}}',
].join('');

it('keeps elements, layers and the classes the code names, alone or in a list', () => {
  expect(usedCss(sheet, 'const a = "_a_x1_1"')).toBe(
    [
      '@layer fallback{:root{--ink:#000}}',
      'body{margin:0}',
      '._a_x1_1{color:red}',
      '._a_x1_1{color:blue}',
      '@media (width<=48rem){._a_x1_1{animation:_spin_x1_3 1s}}',
      '@keyframes _spin_x1_3{to{rotate:1turn}}',
    ].join(''),
  );
});

it('keeps everything where the code names everything', () => {
  const all = sheet.replace('@keyframes _fade_x1_4{to{opacity:0}}', '');
  expect(usedCss(sheet, '"_a_x1_1" "_b_x1_2"')).toBe(all);
});
