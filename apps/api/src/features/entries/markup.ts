import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../app-error.ts';
import { escapeHtml } from '../../http/pages/page-text.ts';

const TITLE = 'Payment method';

/**
 * Answers a prepared entry as markup for a frame: the provider's form behind a button, its page, or a way to it. The markup
 * names the entry (`data-entry`) for who uses it afterwards.
 * @throws {AppError} for one that only code in the browser can use
 */
export function sendMarkup(reply: FastifyReply, { entryId, action }: PreparedEntry) {
  const { origin, markup } = markupOf(action, `data-entry="${escapeHtml(entryId)}"`);
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; form-action ${origin}; frame-src ${origin}; base-uri 'none'; frame-ancestors 'self'`,
    )
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${TITLE}</title><body>${markup}</body></html>`,
    );
}

function markupOf(action: PreparedEntry['action'], mark: string): { origin: string; markup: string } {
  switch (action.do) {
    case 'form': {
      const inputs = Object.entries(action.fields).map(
        ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
      );
      return {
        origin: new URL(action.url).origin,
        markup: `<form method="post" action="${escapeHtml(action.url)}" ${mark}>${inputs.join('')}<button type="submit">Continue</button></form>`,
      };
    }
    case 'frame':
      return {
        origin: new URL(action.url).origin,
        markup: `<iframe title="${TITLE}" src="${escapeHtml(action.url)}" ${mark}></iframe>`,
      };
    case 'redirect':
      return {
        origin: new URL(action.to).origin,
        markup: `<a href="${escapeHtml(action.to)}" target="_top" ${mark}>Continue</a>`,
      };
    case 'browser':
      throw new AppError('paymentMethod.notOffered');
  }
}
