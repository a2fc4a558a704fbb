const KEY = /^[\w-]+(\/[\w-]+)*(\.\w+){1,2}$/;

/** Whether something can be the key of a file. */
export const isKey = (text: string): boolean => KEY.test(text);

/** @throws {RangeError} */
export function checkedKey(key: string): string {
  if (isKey(key)) return key;
  throw new RangeError('Not a key of a file');
}
