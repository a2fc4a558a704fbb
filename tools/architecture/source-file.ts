import { parseSync } from 'oxc-parser';

/** One import, export-from or dynamic import of a file. */
export interface ImportEdge {
  readonly specifier: string;
  /** Whether only types are taken: nothing is loaded at run time. */
  readonly typeOnly: boolean;
}

/** What the rules need to know of one file. */
export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** Lines that hold code: neither blank nor only comment. */
  readonly codeLines: number;
  readonly imports: readonly ImportEdge[];
  /** Uses of things that only certain files may touch, with their line. */
  readonly uses: readonly Use[];
}

export interface Use {
  readonly what:
    | 'process.env'
    | 'toFixed'
    | 'parseFloat'
    | 'times 100'
    | 'glob'
    | 'pathname of a file'
    | 'spread of a literal';
  readonly line: number;
}

/** Reads a source file. @throws {Error} when it does not parse */
export function readSource(path: string, text: string): SourceFile {
  const { module, program, comments, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const imports: ImportEdge[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) {
      if (moduleRequest) imports.push({ specifier: moduleRequest.value, typeOnly: isType });
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^['"`](.*)['"`]$/s.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[1]) imports.push({ specifier: literal[1], typeOnly: false });
  }
  return { path, codeLines: countCodeLines(text, comments), imports, uses: findUses(program, text) };
}

function countCodeLines(text: string, comments: readonly { start: number; end: number }[]): number {
  let code = '';
  let end = 0;
  for (const comment of comments) {
    code += text.slice(end, comment.start);
    // The code behind a comment of several lines stands on a line of its own.
    if (text.slice(comment.start, comment.end).includes('\n')) code += '\n';
    end = comment.end;
  }
  return (code + text.slice(end)).split('\n').filter((line) => line.trim() !== '').length;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

function findUses(program: unknown, text: string): Use[] {
  const uses: Use[] = [];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const what = useOf(value);
    if (what) uses.push({ what, line: text.slice(0, value.start).split('\n').length });
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child);
  };
  visit(program);
  return uses;
}

function useOf(node: Node): Use['what'] | undefined {
  if (node.type === 'MemberExpression') {
    const name = nameOf(node['property']);
    if (name === 'env' && nameOf(node['object']) === 'process') return 'process.env';
    if (name === 'toFixed') return 'toFixed';
    if (name === 'parseFloat' && nameOf(node['object']) === 'Number') return 'parseFloat';
  }
  if (isSpreadOfLiteral(node)) return 'spread of a literal';
  if (isPathnameOfFile(node)) return 'pathname of a file';
  if (node.type === 'CallExpression') {
    const callee = String(nameOf(node['callee']));
    if (callee === 'parseFloat') return 'parseFloat';
    if (callee === 'glob' || callee === 'globSync') return 'glob';
  }
  if (node.type === 'BinaryExpression' && node['operator'] === '*') {
    if ([node['left'], node['right']].some(isHundred)) return 'times 100';
  }
  return undefined;
}

/** `{ ...{ a, b }, c }`: its members can stand in the outer literal themselves. */
function isSpreadOfLiteral(node: Node): boolean {
  const isLiteral = (value: unknown) =>
    isNode(value) && (value.type === 'ObjectExpression' || value.type === 'ArrayExpression');
  return node.type === 'SpreadElement' && isLiteral(node['argument']);
}

/** `new URL('…', import.meta.url).pathname` */
function isPathnameOfFile(node: Node): boolean {
  if (node.type !== 'MemberExpression' || nameOf(node['property']) !== 'pathname') return false;
  const made = node['object'];
  if (!isNode(made) || made.type !== 'NewExpression' || nameOf(made['callee']) !== 'URL') return false;
  const base = Array.isArray(made['arguments']) ? made['arguments'].at(-1) : undefined;
  return isNode(base) && base.type === 'MemberExpression' && isMetaProperty(base['object']);
}

function isMetaProperty(value: unknown): boolean {
  return isNode(value) && value.type === 'MetaProperty';
}

/** The number, not the bigint: `100n` is exact. */
function isHundred(value: unknown): boolean {
  return isNode(value) && value.type === 'Literal' && value['value'] === 100;
}

function nameOf(value: unknown): unknown {
  return isNode(value) && value.type === 'Identifier' ? value['name'] : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
