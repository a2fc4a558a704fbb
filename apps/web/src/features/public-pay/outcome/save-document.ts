import { openApi } from '../../../lib/api/open-api.ts';
import { saveFile } from '../../../lib/files/save-file.ts';
import { failureMessage } from '../../../paying/outcome/failure.ts';

/** Fetches a document and saves it. @returns why it could not be had, in words for the reader */
export const saveDocument = (path: string, name: string): Promise<string | undefined> =>
  openApi.file(path).then(
    (file) => void saveFile(file, name),
    (error: unknown) => failureMessage(error),
  );
