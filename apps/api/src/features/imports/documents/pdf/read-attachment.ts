import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { AttachmentAnswer } from './attachment-reader.ts';

/**
 * What the invoice inside a PDF is called: Factur-X and ZUGFeRD from 2.1 on, ZUGFeRD 2.0, its profile XRechnung, ZUGFeRD 1.0.
 * Where a file has several, the first of these is the invoice.
 */
const NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml'] as const;

/** The invoice that a PDF carries. Never throws; how much memory and time it may take, the caller bounds. */
export async function readAttachment(bytes: Uint8Array): Promise<AttachmentAnswer> {
  const task = getDocument({
    // The library takes the bytes for its own.
    data: Uint8Array.from(bytes),
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
  });
  try {
    const file = await task.promise;
    const attached: ReadonlyMap<string, { readonly filename: string }> =
      (await file.getAttachments()) ?? new Map();
    const names = [...attached].map(([id, { filename }]) => ({ id, name: filename }));
    const found = NAMES.map((wanted) => names.find(({ name }) => name.toLowerCase() === wanted)).find(
      (one) => one !== undefined,
    );
    if (found === undefined)
      return { ok: false, reason: withoutInvoice(names.map(({ name }) => name)), isPlain: true };
    const content = await file.getAttachmentContent(found.id);
    if (content === null || content.length === 0)
      return { ok: false, reason: `${found.name} in the PDF is empty or cannot be read` };
    return { ok: true, name: found.name, content };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  } finally {
    await task.destroy();
  }
}

function withoutInvoice(names: readonly string[]): string {
  const wanted = `no ${NAMES.join(', ')}`;
  return names.length === 0
    ? `a PDF without an e-invoice inside (${wanted})`
    : `a PDF whose attachments are no e-invoice (${wanted}; there is ${names.slice(0, 3).join(', ').slice(0, 100)})`;
}

function reasonOf(error: unknown): string {
  if (error instanceof PasswordException) return 'the PDF is encrypted: it opens only with a password';
  const message = error instanceof Error ? error.message : 'unreadable';
  return `the PDF cannot be read: ${message.split('\n', 1)[0]?.slice(0, 160)}`;
}
