const LONGEST = 254;
const pattern = /^[^\s@"(),:;<>[\\\]\p{Cc}]+@[^\s@"(),:;<>[\\\]\p{Cc}]+$/u;

/** Whether a text is one mail address and nothing else: no name, no quotes, no list. */
export const isMailAddress = (text: string): boolean => text.length <= LONGEST && pattern.test(text);
