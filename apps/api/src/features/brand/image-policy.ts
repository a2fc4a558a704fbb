import { NOTHING } from '../../http/guards/security-headers.ts';
import { sha256 } from '../../secrets.ts';
import type { BrandImageRow } from './queries.ts';

const STYLES = /<style[^>]*>([\s\S]*?)<\/style>|\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

/** An SVG is a document: it may draw, with the styles it was stored with, and nothing else. */
export function imagePolicy({ content_type, content }: BrandImageRow): string {
  const text = content_type.startsWith('image/svg') ? content.toString('utf8') : '';
  const hashes = [...text.matchAll(STYLES)].map(([, element, double, single]) => {
    const style = element === undefined ? plain(double ?? single ?? '') : element.replace(CDATA, '$1');
    return `'sha256-${sha256(style).toString('base64')}'`;
  });
  const styles = hashes.length === 0 ? '' : `; style-src 'unsafe-hashes' ${[...new Set(hashes)].join(' ')}`;
  return `${NOTHING}${styles}; sandbox`;
}

const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/g;

const plain = (attribute: string): string =>
  attribute.replace(/&(quot|apos|lt|gt|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
