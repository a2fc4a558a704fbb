import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../http/pages/page-text.ts';

/** What the page around the frame takes for 'it is done' (payments §2). */
const DONE = '000';
/** The page around the frame shows no longer message (payments §2). */
const LONGEST = 100;

/** Whether a browser has posted a form, and shows what it is answered: the provider's page does that in its frame. */
export const isShown = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.split(',').some((type) => type.trim().startsWith('text/html')) === true;

/**
 * Answers in the frame: a page of ours that tells the page around it, and only one of the same origin, that the provider's is
 * done, or why it was refused. What it says changes nothing: the page around asks the server.
 * @param end the provider's own code, where it is another than {@link DONE}, or the refusal
 */
export function sendCallbackPage(reply: FastifyReply, end: string | { status: number; text: string } = DONE) {
  const nonce = randomBytes(16).toString('base64url');
  const refusal = typeof end === 'string' ? undefined : end;
  const message = typeof end === 'string' ? end : end.text.slice(0, LONGEST);
  const shown = escapeHtml(refusal?.text ?? 'Please wait');
  return reply
    .status(refusal?.status ?? 200)
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    )
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${shown}</title><p>${shown}</p>` +
        `<script nonce="${nonce}">parent.postMessage(${inScript(message)}, location.origin)</script></html>`,
    );
}

const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');
