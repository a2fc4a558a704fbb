/** What the hosted frame answers when it was asked for a key. */

export type FrameAnswer = { readonly key: string } | { readonly error: string };

/** How the frame answers a refused number, expiry or code. */
const refusals: Readonly<Record<string, string>> = {
  '943': 'Please check the card number',
  '944': 'Please check the expiry date',
  '945': 'Please check the security code',
};
const refused = 'Your card details were not accepted. Please check them and try again';

/** What the frame says when it was asked: JSON as a text. Undefined for any other message. */
export function readAnswer(data: unknown): FrameAnswer | undefined {
  if (typeof data !== 'string' || !data.startsWith('{')) return undefined;
  let said: unknown;
  try {
    said = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof said !== 'object' || said === null || !('responseCode' in said)) return undefined;
  const codes = [said.responseCode].flat().map(String);
  const key = 'dataKey' in said ? said.dataKey : undefined;
  if (codes.includes('001') && typeof key === 'string') return { key };
  return { error: codes.map((code) => refusals[code]).find((text) => text !== undefined) ?? refused };
}
