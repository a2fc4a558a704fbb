/** Whether a record's further item is a telephone number that was called; a network or a place has its own word. */
export const isPhoneNumber = (text: string): boolean => /^[+(\d][\d ()./-]+$/.test(text);
