import type { DrawPage } from '@counterfoil/contract/first-paint.ts';
import { type ReactNode, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { setReaderLocale } from '../../text/catalogue.ts';
import { setFirstPaint } from './first-paint.ts';
import { setRuntimeConfig } from './runtime-config.ts';

/**
 * A page's `DrawPage`. Drawing is synchronous: what it reads of this one reader is set before, and no other request
 * comes between.
 * @param page undefined where only the browser can draw it
 */
export const drawPage =
  (page: () => ReactNode | undefined): DrawPage =>
  (config, first) => {
    setRuntimeConfig(config);
    setFirstPaint(first);
    setReaderLocale(first.locale);
    const drawn = page();
    return drawn === undefined ? '' : renderToString(<StrictMode>{drawn}</StrictMode>);
  };
