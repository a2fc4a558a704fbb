import { hash } from 'node:crypto';
import { Lru } from '../fonts/lru.ts';
import type { Logo } from '../letter/letter.ts';
import type { Artwork } from './artwork.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { readSvg } from './svg.ts';

const readers = { png: readPng, jpeg: readJpeg, svg: readSvg };

/** Decoded logos by content: a process serves few brands and prints each many times. */
const decoded = new Lru<string, { readonly artwork: Artwork | undefined }>(32);

/** A brand's logo, or undefined when it cannot be read: a damaged logo must not stop an invoice. */
export function readLogo(logo: Logo | undefined): Artwork | undefined {
  if (!logo) return undefined;
  return decoded.getOrMake(logo.type + hash('sha256', logo.data, 'hex'), () => {
    try {
      return { artwork: readers[logo.type](logo.data) };
    } catch {
      return { artwork: undefined };
    }
  }).artwork;
}
