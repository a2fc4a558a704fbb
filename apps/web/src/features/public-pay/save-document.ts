import { openApi } from '../../lib/api/open-api.ts';
import { failureMessage } from '../../lib/payments/failure.ts';
import { saveFile } from '../../lib/save-file.ts';

/** Fetches a document and saves it. @returns why it could not be had, in words for the reader */
export const saveDocument = (path: string, name: string): Promise<string | undefined> =>
  openApi.file(path).then(
    (file) => void saveFile(file, name),
    (error: unknown) => failureMessage(error),
  );
