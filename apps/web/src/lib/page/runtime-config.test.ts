import { describe, expect, it } from 'vitest';
import { readRuntimeConfig } from './runtime-config.ts';

const page = (text: string | null) => ({
  getElementById: (id: string) =>
    (id === 'runtime-config' && text !== null ? { textContent: text } : null) as HTMLElement | null,
});

describe('the runtime configuration', () => {
  it('names apiHost and resellerApiHost [decisions.2.field.runtime.apiHost, decisions.2.field.runtime.resellerApiHost]', () => {
    const text = JSON.stringify({
      apiHost: 'https://api.example',
      resellerApiHost: 'https://reseller.example',
    });
    expect(readRuntimeConfig(page(text))).toMatchObject({
      apiHost: 'https://api.example',
      resellerApiHost: 'https://reseller.example',
      brand: null,
    });
  });

  it('is the page’s own origin where it says nothing or cannot be read', () => {
    for (const text of [null, '', '{}', '{'])
      expect(readRuntimeConfig(page(text))).toMatchObject({ apiHost: '', resellerApiHost: '' });
  });
});
