import { expect, type Stack } from './test.ts';

/** Path of the link in the newest mail to an address that holds one for this page, e.g. '/reset-password/'. */
export async function linkInMail(stack: Stack, address: string, page: string): Promise<URL> {
  let found: URL | undefined;
  await expect
    .poll(() => {
      const links = stack.mailsTo(address).flatMap((mail) => {
        // Quoted-printable: long lines are broken with '=' at their end.
        const text = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
        return [...text.matchAll(/http:\/\/[^\s"<>]+/g)].map(([link]) => link);
      });
      const link = links.filter((one) => one.includes(page)).at(-1);
      found = link === undefined ? undefined : new URL(link);
      return found?.pathname.startsWith(page) ?? false;
    })
    .toBe(true);
  if (found === undefined) throw new Error('there is no such link');
  return found;
}
