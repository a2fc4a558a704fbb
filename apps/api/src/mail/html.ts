import type { Roles } from '@counterfoil/domain/text/palette.ts';

/** One line under a mail's text: what it is and its value. */
export interface MailFact {
  readonly label: string;
  readonly value: string;
  /** Stands out: the sum of what stands above it. */
  readonly isTotal?: boolean;
}

/** What a mail says, whatever it is laid out as. */
export interface MailContent {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly MailFact[];
  readonly link?: { readonly label: string; readonly url: string };
  readonly companyName: string;
  /** How to reach the company, line by line. */
  readonly contact: readonly string[];
  /** Pages of the provider's own: terms, imprint, privacy. Mails kept from before have none. */
  readonly legal?: readonly { readonly label: string; readonly url: string }[];
  readonly language: string;
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

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * A mail as HTML: one column of plain tables, no images or scripts, readable without styles and at 320 px. Colours
 * stand at each element, for programs that drop style sheets; those of the dark theme in the one sheet.
 */
export function mailHtml(
  content: MailContent,
  roles: { readonly light: Roles; readonly dark: Roles },
): string {
  const { light } = roles;
  const [preview = ''] = content.paragraphs;
  return [
    `<!doctype html><html lang="${escapeHtml(content.language)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(content.heading)}</title><style>${styleSheet(roles.dark)}</style></head>`,
    `<body class="canvas" style="margin:0;padding:0;background:${light.canvas};${FONT}">`,
    `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}</div>`,
    `<table ${TABLE} width="100%" class="canvas" style="background:${light.canvas}"><tr><td class="around" align="center" style="padding:32px 16px">`,
    `<table ${TABLE} width="560" style="width:100%;max-width:560px;text-align:start">`,
    `<tr><td class="header pad" style="padding:18px 32px;border-radius:12px 12px 0 0;background:${light.header};` +
      `color:${light['on-header']};font-size:17px;line-height:24px;font-weight:650">${escapeHtml(content.companyName)}</td></tr>`,
    `<tr><td class="surface pad" style="padding:32px 32px 28px;background:${light.surface};color:${light.ink};font-size:16px;line-height:25px">`,
    `<h1 style="margin:0 0 16px;font-size:24px;line-height:31px;font-weight:680">${escapeHtml(content.heading)}</h1>`,
    ...content.paragraphs.map(
      (paragraph) => `<p style="margin:0 0 14px;overflow-wrap:anywhere">${escapeHtml(paragraph)}</p>`,
    ),
    factTable(content.facts, light),
    linkPart(content.link, light),
    '</td></tr>',
    `<tr><td class="stub pad" style="padding:20px 32px 24px;border-top:2px dashed ${light['line-strong']};border-radius:0 0 12px 12px;` +
      `background:${light.surface};color:${light['ink-muted']};font-size:13px;line-height:20px">`,
    [
      ...[content.companyName, ...content.contact].map(escapeHtml),
      ...legalLine(content.legal ?? [], light),
    ].join('<br>'),
    '</td></tr></table></td></tr></table></body></html>',
    '',
  ].join('\n');
}

function factTable(facts: readonly MailFact[], light: Roles): string {
  if (facts.length === 0) return '';
  const line = `border-top:1px solid ${light.line};padding:10px 0`;
  const rows = facts.map(({ label, value, isTotal = false }) => {
    const weight = isTotal ? 'font-weight:680;' : '';
    const ink = isTotal ? light.ink : light['ink-muted'];
    return (
      `<tr><td class="line ${isTotal ? 'ink' : 'muted'}" valign="top" style="${line};padding-inline-end:20px;${weight}color:${ink}">${escapeHtml(label)}</td>` +
      `<td class="line ink" valign="top" align="right" style="${line};${weight}color:${light.ink};overflow-wrap:anywhere;font-variant-numeric:tabular-nums">${escapeHtml(value)}</td></tr>`
    );
  });
  return `<table ${TABLE} width="100%" style="margin:20px 0 8px;font-size:15px;line-height:22px">${rows.join('')}</table>`;
}

const legalLine = (links: NonNullable<MailContent['legal']>, light: Roles): readonly string[] =>
  links.length === 0
    ? []
    : [
        links
          .map(
            ({ label, url }) =>
              `<a class="muted" href="${escapeHtml(url)}" style="color:${light['ink-muted']}">${escapeHtml(label)}</a>`,
          )
          .join(' · '),
      ];

/** The button, and its address in full for programs that show none and for people who look before they click. */
function linkPart(link: MailContent['link'], light: Roles): string {
  if (link === undefined) return '';
  const [label, url] = [escapeHtml(link.label), escapeHtml(link.url)];
  return (
    `<table ${TABLE} style="margin:24px 0 16px"><tr><td class="button" bgcolor="${light.accent}" style="border-radius:8px;background:${light.accent}">` +
    `<a class="button" href="${url}" style="display:inline-block;padding:13px 24px;border-radius:8px;background:${light.accent};` +
    `color:${light['on-accent']};font-weight:650;text-decoration:none">${label}</a></td></tr></table>` +
    `<p class="muted" style="margin:0;color:${light['ink-muted']};font-size:13px;line-height:20px;overflow-wrap:anywhere;word-break:break-word">${url}</p>`
  );
}

/** What only a style sheet can say: the dark theme, and less room around on a phone. */
function styleSheet(dark: Roles): string {
  const rules = [
    [['.canvas'], `background:${dark.canvas}`],
    [['.surface'], `background:${dark.surface}`, `color:${dark.ink}`],
    [['.header'], `background:${dark.header}`, `color:${dark['on-header']}`],
    [
      ['.stub'],
      `background:${dark.surface}`,
      `color:${dark['ink-muted']}`,
      `border-top-color:${dark['line-strong']}`,
    ],
    [['.ink'], `color:${dark.ink}`],
    [['.muted'], `color:${dark['ink-muted']}`],
    [['.line'], `border-top-color:${dark.line}`],
    [['.button'], `background:${dark.accent}`, `color:${dark['on-accent']}`],
  ] as const;
  const night = rules.map(
    ([[name], ...parts]) => `${name}{${parts.map((part) => `${part}!important`).join(';')}}`,
  );
  return (
    ':root{color-scheme:light dark;supported-color-schemes:light dark}' +
    '@media(max-width:480px){.around{padding:0!important}.pad{padding-inline:20px!important;border-radius:0!important}}' +
    `@media(prefers-color-scheme:dark){${night.join('')}}`
  );
}
