const HOME = '/';
const MAX_LENGTH = 2048;

/** Blanks, control characters, backslashes and invisible characters: browsers drop or turn them, so none may stand. */
const refused = /[\s\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Where to send the browser for query parameter `r` (specification, decisions 8): a path on this origin, or an
 * address at an origin the brand lists. Anything else leads to '/'.
 *
 * @param r              the parameter as decoded from the query, or null
 * @param origin         this page's origin, such as 'https://billing.example.com'
 * @param allowedOrigins origins (scheme, host, port) that may be sent to besides; unusable entries are ignored
 * @returns a path beginning with exactly one '/', or a complete address at an allowed origin
 */
export function safeRedirect(r: string | null, origin: string, allowedOrigins: readonly string[]): string {
  if (r === null || r === '' || r.length > MAX_LENGTH || refused.test(r)) return HOME;
  const own = webOrigin(origin);
  if (own === null) return HOME;
  if (r.startsWith('/')) return r.startsWith('//') ? HOME : localPath(parse(r, own), own);
  // Exactly two slashes: 'https:host', 'https:/host' and 'https:///host' are read differently by different parsers.
  if (!/^https?:\/\/[^/]/i.test(r)) return HOME;
  const url = parse(r);
  if (url === null || r.split(/[/?#]/)[2]?.includes('@')) return HOME;
  if (url.origin === own) return localPath(url, own);
  return allowedOrigins.some((allowed) => webOrigin(allowed) === url.origin) ? url.href : HOME;
}

/** Path, query and fragment of an address here; home when the path could be taken for a host. */
function localPath(url: URL | null, own: string): string {
  if (url === null || url.origin !== own || !isPlainPath(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
}

/**
 * However often somebody decodes and resolves it, the path stays one on this host: '/.//x', '/%2f/x', '/%255cx' and
 * '/a/..%2f/x' do not.
 */
function isPlainPath(pathname: string): boolean {
  let path = pathname;
  for (let round = 0; round < 4; round += 1) {
    if (path.startsWith('//') || refused.test(path.replaceAll(' ', ''))) return false;
    if (parse(path, 'http://here')?.pathname.startsWith('//') !== false) return false;
    let decoded: string;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return false;
    }
    if (decoded === path) return true;
    path = decoded;
  }
  return false;
}

function parse(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

/** The origin of a web address: scheme, host and port as browsers write them; null for anything else. */
export function webOrigin(text: string): string | null {
  const url = parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}
