import type { ReceivedFile } from '../api/calls.ts';

/** How long a file's address stays good: a slow viewer may still be reading. */
const addressLifeMs = 300_000;

/** A temporary address of a file in this browser. */
export function addressOf(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  setTimeout(() => URL.revokeObjectURL(url), addressLifeMs);
  return url;
}

/**
 * Saves a received file under the name the server gave.
 * @param name stands in when the answer names none
 */
export function saveFile(file: ReceivedFile, name: string): void {
  const link = document.createElement('a');
  link.href = addressOf(file.blob);
  link.download = file.fileName ?? name;
  link.click();
}
