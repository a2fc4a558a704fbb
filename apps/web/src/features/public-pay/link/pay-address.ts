/** The link's token of '/pay/{uid}'. */
export const uidOf = (pathname: string): string => {
  const part = pathname.split('/')[2] ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
