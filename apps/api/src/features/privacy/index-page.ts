import type { Subject } from './held.ts';

/** What the head of an export says. */
export interface ExportHead {
  readonly subject: Subject;
  /** The person's or the customer's name. */
  readonly name: string;
  /** The provider's. */
  readonly reseller: string;
  readonly madeAt: Date;
  readonly madeBy: string;
}

/** A file of the archive with how many records are in it. */
export interface ExportedFile {
  readonly file: string;
  readonly about: string;
  readonly records: number;
}

/** What the index of an export tells. */
export interface ExportIndex extends ExportHead {
  readonly files: readonly ExportedFile[];
  /** Numbers of invoices whose stored document is not there. */
  readonly missing: readonly string[];
  /** Months whose usage records are archived; 'YYYY-MM'. */
  readonly archivedMonths: readonly string[];
  readonly left: readonly { readonly why: string; readonly tables: readonly string[] }[];
}

const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid #8886}
td:last-child,th:last-child{text-align:right;padding-right:0;font-variant-numeric:tabular-nums}td:first-child{overflow-wrap:anywhere}dt{font-weight:600}dd{margin:0 0 .5rem}
@media print{body{margin:0;max-width:none}tr{break-inside:avoid}a{color:inherit}}`;

/** The index of an export for people: one page without script that prints. */
export function indexPage(index: ExportIndex): string {
  const { subject, name, reseller, madeAt, madeBy, files, missing, archivedMonths, left } = index;
  const about = subject.kind === 'user' ? `${name} (${subject.email})` : name;
  const rows = files.map(
    ({ file, about: what, records }) =>
      `<tr><td><a href="${html(file.split('/').map(encodeURIComponent).join('/'))}">${html(file)}</a></td><td>${html(what)}</td><td>${records}</td></tr>`,
  );
  const notes = [
    'Files that end with .ndjson have one record in each line, as JSON; any text editor opens them. Times are in UTC where they say so with +00:00, amounts that end with _minor are in the smallest unit of the currency.',
    'Passwords, keys, tokens and full numbers of cards and accounts are in no file.',
    ...(missing.length === 0 ? [] : [`The stored document was not found for: ${missing.join(', ')}.`]),
    ...(archivedMonths.length === 0
      ? []
      : [
          `Usage records of these months are archived apart and not in this file: ${archivedMonths.join(', ')}. What they came to on invoices is.`,
        ]),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Data about ${html(about)}</title><style>${STYLE}</style></head><body><main>
<h1>Data about ${html(about)}</h1>
<dl><dt>Held by</dt><dd>${html(reseller)}</dd><dt>As of</dt><dd>${madeAt.toISOString()}</dd><dt>Made by</dt><dd>${html(madeBy)}</dd><dt>Id</dt><dd>${subject.id}</dd></dl>
${notes.map((note) => `<p>${html(note)}</p>`).join('\n')}
<h2>Files</h2>
<table><thead><tr><th scope="col">File</th><th scope="col">A record is</th><th scope="col">Records</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<h2>What is not in it, and why</h2>
<dl>${left.map(({ why, tables }) => `<dt>${html(tables.join(', '))}</dt><dd>${html(why)}</dd>`).join('\n')}</dl>
</main></body></html>
`;
}
