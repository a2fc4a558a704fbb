import type { MailContent } from './html.ts';

/** A mail as plain text; the values of its facts stand under each other. */
export function mailText({
  heading,
  paragraphs,
  facts,
  link,
  companyName,
  contact,
  legal = [],
}: MailContent): string {
  const width = Math.max(0, ...facts.map(({ label }) => label.length)) + 2;
  return [
    heading,
    ...paragraphs.flatMap((paragraph) => ['', paragraph]),
    ...(facts.length === 0 ? [] : ['']),
    ...facts.map(({ label, value }) => `${`${label}:`.padEnd(width)}${value}`),
    ...(link === undefined ? [] : ['', `${link.label}:`, link.url]),
    '',
    // The line that mail programs take for the end of what was written.
    '-- ',
    companyName,
    ...contact,
    ...legal.map(({ label, url }) => `${label}: ${url}`),
    '',
  ].join('\n');
}
