/** Largest document taken, in bytes: attachments inside can be large, a bill of a gigabyte is a mistake. */
export const maxDocumentBytes = 20 * 1024 * 1024;
