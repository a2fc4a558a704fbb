import type { Brand } from '../features/brand/service.ts';

export interface MailContent {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Label and value, set one under the other with the values aligned. */
  readonly facts: readonly (readonly [string, string])[];
  readonly link?: { readonly label: string; readonly url: string };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** The plain text of a mail in the brand's name. */
export function mailText(brand: Brand, content: MailContent): string {
  const width = Math.max(0, ...content.facts.map(([label]) => label.length)) + 2;
  return [
    content.heading,
    '',
    ...content.paragraphs.flatMap((paragraph) => [paragraph, '']),
    ...content.facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`),
    ...(content.link === undefined ? [] : ['', `${content.link.label}: ${content.link.url}`]),
    '',
    ...footer(brand),
  ].join('\n');
}

/** The same as HTML: one column, no images or scripts, readable without styles. */
export function mailHtml(
  brand: Brand,
  content: MailContent,
  colours: { readonly accent: string; readonly onAccent: string },
): string {
  const rows = content.facts.map(
    ([label, value]) =>
      `<tr><th align="left" style="font-weight:400;color:#56636a;padding:4px 24px 4px 0">${escapeHtml(label)}</th>` +
      `<td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
  );
  const button =
    content.link === undefined
      ? ''
      : `<p><a href="${escapeHtml(content.link.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;` +
        `text-decoration:none;background:${colours.accent};color:${colours.onAccent}">${escapeHtml(content.link.label)}</a></p>`;
  return [
    `<!doctype html><html lang="${escapeHtml(brand.settings.language)}"><head><meta charset="utf-8">`,
    `<title>${escapeHtml(content.heading)}</title></head>`,
    '<body style="margin:0;padding:24px;font:15px/22px system-ui,Segoe UI,Roboto,Arial,sans-serif;color:#0e212a">',
    '<div style="max-width:560px;margin:0 auto">',
    `<h1 style="font-size:20px;line-height:28px">${escapeHtml(content.heading)}</h1>`,
    ...content.paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<table role="presentation" cellspacing="0" style="border-collapse:collapse">${rows.join('')}</table>`,
    button,
    `<p style="color:#56636a;font-size:13px;line-height:18px">${footer(brand).map(escapeHtml).join('<br>')}</p>`,
    '</div></body></html>',
  ].join('\n');
}

function footer(brand: Brand): string[] {
  const { supportEmail, supportPhone, postalAddress } = brand.settings;
  return [
    brand.companyName,
    ...postalAddress,
    [supportEmail, supportPhone].filter(Boolean).join(' · '),
  ].filter(Boolean);
}
