/** Applies the page's style options to an input; only look, through the style object, never as CSS text. */
import { lineBoxPx } from './line-box.ts';
import type { FieldOptions } from './protocol.ts';

const allowed = new Set([
  'backgroundColor',
  'color',
  'fontFamily',
  'fontFeatureSettings',
  'fontSize',
  'fontSmoothing',
  'fontStyle',
  'fontVariant',
  'fontWeight',
  'letterSpacing',
  'textAlign',
  'textDecoration',
  'textShadow',
  'textTransform',
]);

export function applyStyle(
  input: HTMLInputElement,
  style: FieldOptions['style'],
  state: 'base' | 'complete' | 'empty' | 'invalid',
): void {
  const rules = { ...style?.base, ...(state === 'base' ? {} : style?.[state]) };
  for (const name of allowed) {
    const value = rules[name];
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (typeof value === 'string' && !value.includes('url(')) input.style.setProperty(property, value);
    else input.style.removeProperty(property);
  }
  const line = `${lineBoxPx(style)}px`;
  input.style.setProperty('height', line);
  input.style.setProperty('line-height', line);
  // Without colours from the page an error must still be seen.
  if (state === 'invalid' && style?.invalid?.['color'] === undefined)
    input.style.setProperty('color', '#b91c1c');
  const placeholder = rules['::placeholder'];
  if (typeof placeholder === 'object' && placeholder['color'] !== undefined) {
    input.style.setProperty('--placeholder', placeholder['color']);
  }
}
