import type { RuntimeConfig } from '@counterfoil/contract/brand.ts';

const fallback: RuntimeConfig = {
  apiHost: '',
  resellerApiHost: '',
  brand: null,
  passwords: { minLength: 6, rule: 'composition' },
};

/**
 * What the server wrote into the page: API hosts and the brand of this host name. A page served without it (the
 * development server) talks to its own origin and asks for the brand itself.
 */
export function readRuntimeConfig(document: Pick<Document, 'getElementById'>): RuntimeConfig {
  const text = document.getElementById('runtime-config')?.textContent;
  if (!text) return fallback;
  try {
    return { ...fallback, ...(JSON.parse(text) as Partial<RuntimeConfig>) };
  } catch {
    return fallback;
  }
}

export let runtimeConfig: RuntimeConfig =
  typeof document === 'undefined' ? fallback : readRuntimeConfig(document);

/** Where a page is drawn without a document, on the server: for whom. */
export function setRuntimeConfig(config: RuntimeConfig): void {
  runtimeConfig = config;
}
