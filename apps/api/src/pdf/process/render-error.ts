/**
 * Why there is no PDF: 'busy' means that too many are waiting (try again later), 'timeout' that rendering took
 * too long, 'failed' that the document could not be rendered or the rendering process died, 'closed' that the server stops.
 */
export class PdfRenderError extends Error {
  override readonly name = 'PdfRenderError';
  readonly code: 'busy' | 'timeout' | 'failed' | 'closed';

  constructor(code: PdfRenderError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
