/** By what the process that reads PDFs ends where it would have needed more memory than it may have. */
export const TOO_MUCH_MEMORY = 3;
