import type { Access } from './access.ts';
import { code, escapeHtml, table } from './docs-page-html.ts';
import { type Member, membersOf, notesOf, typeText } from './docs-page-schema.ts';
import type { Answer, Operation, Parameter, Schema } from './openapi-document.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** Who may call, in words. */
const ACCESS_WORDS: Readonly<Record<Access, string>> = {
  public: 'Anybody; no sign-in.',
  session: 'A signed-in user.',
  customer: 'A signed-in user, for one of their customers.',
  program: 'A program of a provider, with an API key.',
};

/** The call's place on the page: `get-v1-ec-invoice-id`. */
export function anchorOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '-')}`.replace(/-$/, '');
}

/** One call: who, what goes in, what comes out. */
export function renderCall(operation: Operation, schemas: Schemas): string {
  const anchor = anchorOf(operation);
  return [
    `<article id="${anchor}" aria-labelledby="${anchor}-name">`,
    `<h3 id="${anchor}-name"><a href="#${anchor}"><span class="method">${operation.method}</span> ${breakable(operation.path)}</a></h3>`,
    `<p>${escapeHtml(operation.summary ?? '')}.</p>`,
    `<p class="access">${ACCESS_WORDS[operation.access]}</p>`,
    renderParameters(operation.parameters ?? []),
    renderBody(operation, schemas),
    ...Object.entries(operation.responses ?? {}).map(([status, answer]) =>
      renderAnswer(status, answer, schemas),
    ),
    '</article>',
  ].join('\n');
}

const PLACES: Readonly<Record<Parameter['in'], string>> = { path: 'path', query: 'query', header: 'header' };

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, schema = {}, description }) => [
    code(name),
    `${PLACES[place]}, ${typeText(schema)}`,
    escapeHtml(
      [required === true ? 'required' : 'optional', description, notesOf(schema)].filter(Boolean).join('; '),
    ),
  ]);
  return table('Parameters', ['Name', 'Where and type', 'Meaning and limits'], rows);
}

function renderBody({ requestBody }: Operation, schemas: Schemas): string {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return '';
  const [type, { schema = {} }] = content;
  return memberTable(`Body, ${type}`, membersOf(schema, schemas));
}

function renderAnswer(status: string, { content }: Answer, schemas: Schemas): string {
  if (status === 'default') return '';
  const name = `Answer ${status.toUpperCase()}`;
  const [first] = Object.entries(content ?? {});
  if (first === undefined) return `<p>${name}: no content.</p>`;
  const [type, { schema = {} }] = first;
  if (schema.format === 'binary') return `<p>${name}: the file, ${code(type)}.</p>`;
  return memberTable(`${name}, ${type}`, membersOf(schema, schemas));
}

/** Members with their types; optional ones say so. */
export function memberTable(caption: string, members: readonly Member[]): string {
  const rows = members.map(({ path, type, isOptional, notes }) => [
    code(path),
    escapeHtml(type),
    escapeHtml([isOptional ? 'may be absent' : '', notes].filter(Boolean).join('; ')),
  ]);
  return table(caption, ['Member', 'Type', 'Notes'], rows);
}

/** Lets a path break after its slashes where the line is too short. */
function breakable(path: string): string {
  return escapeHtml(path).replaceAll('/', '/<wbr>');
}
