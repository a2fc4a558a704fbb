/** A path as CONTRIBUTING.md writes it: at least one slash, no spaces, no scheme, not a command. */
const pathInText = /`((?:\.?[\w<>*@-][\w<>*@.-]*\/)+[\w<>*@.-]*)`/g;

/**
 * Checks that the paths a guide names exist, so that a walk never points at a folder that has moved.
 * `<name>` stands for any one part of a path.
 * @param guide Markdown; paths stand in backticks and contain a slash
 * @param files all files of the project, relative, with `/`
 * @returns the paths that match neither a file nor a folder
 * @throws {Error} when the guide names none
 */
export function missingPaths(guide: string, files: readonly string[]): string[] {
  const named = [...guide.matchAll(pathInText)].map(([, path = '']) => path);
  if (named.length === 0) throw new Error('the guide names no path: the way it writes them has changed');
  const paths = named.filter((path) => !path.startsWith('@') && !path.startsWith('..'));
  return [...new Set(paths)].filter((path) => !files.some((file) => pattern(path).test(file)));
}

function pattern(path: string): RegExp {
  const trimmed = path.replace(/^\.\//, '').replace(/\/$/, '');
  const source = trimmed
    .split(/<[\w -]+>|\*/)
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}(/|$)`);
}
