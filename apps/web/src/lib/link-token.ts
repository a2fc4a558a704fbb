/** The token at the end of a mailed link: '/reset-password/{token}'. */
export function linkToken(path: string): string {
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    // Badly encoded: as unknown to the server as any other wrong one.
    return last;
  }
}
