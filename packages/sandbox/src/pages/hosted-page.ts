/** A gateway's own page, on which the payer pays or saves a method: the forms, and where the browser goes. */
import { escapeHtml, shownAmount } from './page.ts';

/** Name of the parameter, label, and what the browser may fill in. */
export type PageField = readonly [name: string, label: string, autocomplete: string];

/** One way to pay on the page. */
export interface PageForm {
  readonly type: string;
  readonly title: string;
  readonly fields: readonly PageField[];
  /** Sent along unseen. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Whether the account holder must tick the consent to debits. */
  readonly consent: boolean;
}

/** The page's HTML: heading, amount, error, one form for each way to pay, and the way back. */
export function hostedPage(about: {
  readonly label: string;
  readonly amount?: { readonly minor: number; readonly currency: string } | undefined;
  readonly button: string;
  readonly forms: readonly PageForm[];
  readonly error?: string | undefined;
  readonly back: string | null;
}): string {
  const amount =
    about.amount === undefined
      ? ''
      : `<p class="amount">${shownAmount(about.amount.minor, about.amount.currency)}</p>`;
  const alert = about.error === undefined ? '' : `<p role="alert">${escapeHtml(about.error)}</p>`;
  const back = about.back === null ? '' : `<p><a href="${escapeHtml(about.back)}">Back</a></p>`;
  const forms = about.forms.map((form) => formOf(form, about.button)).join('');
  return `<h1>${escapeHtml(about.label)}</h1>${amount}<p class="note">Test page: no real money moves.</p>${alert}${forms}${back}`;
}

function formOf({ type, title, fields, hidden = {}, consent }: PageForm, button: string): string {
  const inputs = fields.map(
    ([name, label, autocomplete]) =>
      `<label>${label}<input name="${name}" autocomplete="${autocomplete}"></label>`,
  );
  const unseen = Object.entries({ type, ...hidden }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  const tick = consent
    ? '<label><span><input type="checkbox" name="mandate" value="accepted" required> I authorise debits from this account</span></label>'
    : '';
  return `<form method="post" aria-label="${title}"><strong>${title}</strong>${unseen.join('')}${inputs.join('')}${tick}<button class="primary">${button}</button></form>`;
}
