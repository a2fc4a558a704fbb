/** Cross-origin rules: which portals may call the sandbox from a browser. */

/** Whether an Origin header matches one of the patterns; `*` stands for part of a
 * host name, or for any port or none. */
export function isAllowedOrigin(origin: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matcher(pattern).test(origin));
}

const matchers = new Map<string, RegExp>();

function matcher(pattern: string): RegExp {
  let found = matchers.get(pattern);
  if (found === undefined) {
    const source = pattern
      .replace(/[.+?^${}()|[\]\\/]/g, '\\$&')
      .replace(/:\*$/, '(?::\\d+)?')
      .replaceAll('*', '[a-z0-9.-]*');
    found = new RegExp(`^${source}$`, 'i');
    matchers.set(pattern, found);
  }
  return found;
}

/** Headers that let an allowed origin read the answer; none for other origins. */
export function corsHeaders(
  origin: string | undefined,
  patterns: readonly string[],
  headers: { readonly sent: readonly string[]; readonly read: readonly string[] },
): Record<string, string> {
  if (origin === undefined || !isAllowedOrigin(origin, patterns)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': ['authorization', 'content-type', ...headers.sent].join(', '),
    'access-control-expose-headers': headers.read.join(', '),
    'access-control-max-age': '600',
    vary: 'origin',
  };
}
