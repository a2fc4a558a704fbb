import type { BrandSettings } from '@counterfoil/contract/brand.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../lib/api/api-error.ts';
import { openApi } from '../lib/api/open-api.ts';
import { applyBrand } from '../lib/brand/apply-brand.ts';
import { runtimeConfig } from '../lib/page/runtime-config.ts';

interface HostBrand {
  readonly brand: Pick<BrandSettings, 'id' | 'name'> | undefined;
  /** The look-up failed for another reason than that there is no such brand. */
  readonly failed: unknown;
}

/** Stands in for a host name without a brand: the built-in images, and no name. */
const builtIn = { id: 0, name: '' };

/**
 * The brand of this host name: written into the page by the server, else (or when `?d=` names another domain)
 * asked for. A 404 is silent, any
 * other failure is for the banner (specification, portal §8).
 */
export function useHostBrand(): HostBrand {
  const [state, setState] = useState<HostBrand>(() => ({
    brand: runtimeConfig.brand ?? undefined,
    failed: undefined,
  }));
  useEffect(() => {
    const named = new URLSearchParams(globalThis.location.search).get('d');
    if (runtimeConfig.brand && named === null) return;
    const d = named ?? globalThis.location.hostname;
    void openApi.get<BrandSettings>('/v1/brands-settings', { query: { d } }).then(
      async (brand) => {
        await applyBrand(brand.id);
        setState({ brand, failed: undefined });
      },
      (error: unknown) => {
        const unknown = error instanceof ApiError && error.status === 404;
        setState({ brand: runtimeConfig.brand ?? builtIn, failed: unknown ? undefined : error });
      },
    );
  }, []);
  return state;
}
