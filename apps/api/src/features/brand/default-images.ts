import type { BrandImageRow } from './queries.ts';

const svg = (text: string): BrandImageRow => ({ content_type: 'image/svg+xml', content: Buffer.from(text) });

// A slip with its counterfoil: two leaves and the perforation between them.
const logo =
  svg(`<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32" role="img" aria-label="Counterfoil">
<rect x="3" y="5" width="26" height="22" rx="4" fill="none" stroke="#3598db" stroke-width="2.5"/>
<path d="M12 6v20" stroke="#3598db" stroke-width="2" stroke-dasharray="2 3"/>
<path d="M16 12h9M16 17h9M16 22h5" stroke="#005e80" stroke-width="2.5" stroke-linecap="round"/></svg>`);

const banner =
  svg(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200" viewBox="0 0 1200 1200" preserveAspectRatio="xMidYMid slice">
<rect width="1200" height="1200" fill="#005e80"/>
<g fill="none" stroke="#3598db" stroke-width="2" opacity=".55">
<path d="M-50 900C250 640 420 1060 700 780S1100 560 1260 700"/><path d="M-50 960C270 700 440 1120 720 840S1120 620 1260 760"/>
<path d="M-50 1020C290 760 460 1180 740 900S1140 680 1260 820"/><path d="M-50 840C230 580 400 1000 680 720S1080 500 1260 640"/></g>
<g fill="#ffffff" opacity=".9"><circle cx="420" cy="826" r="7"/><circle cx="700" cy="780" r="7"/><circle cx="960" cy="652" r="7"/></g></svg>`);

/** Images of the built-in brand 0. */
export function defaultImage(kind: 'logo' | 'banner'): BrandImageRow {
  return kind === 'logo' ? logo : banner;
}
