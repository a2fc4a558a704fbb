/** Pages for the payer's browser: a bank's challenge, a hosted page. Plain and accessible; a script posts a form at the most. */
import type { SandboxReply } from '../gateway-sandbox.ts';

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center;background:Canvas;color:CanvasText}
main{box-sizing:border-box;width:100%;max-width:26rem;padding:2rem 1.5rem}
h1{font-size:1.35rem;line-height:1.3;margin:0 0 .5rem}
p{margin:0 0 1rem}
.amount{font-size:1.75rem;font-weight:600;font-variant-numeric:tabular-nums}
form{display:grid;gap:.75rem;margin-top:1.5rem}
label{display:grid;gap:.25rem}
input,button{font:inherit;padding:.7rem 1rem;border-radius:.4rem;border:1px solid GrayText;min-height:44px;box-sizing:border-box}
input[type=checkbox]{min-height:0;inline-size:1.25rem;block-size:1.25rem;margin:0 .5rem 0 0;vertical-align:-.25rem}
button{cursor:pointer;font-weight:600;background:ButtonFace;color:ButtonText}
button.primary{background:#1f4fd8;border-color:#1f4fd8;color:#fff}
button:focus-visible,input:focus-visible,a:focus-visible{outline:3px solid #7aa2ff;outline-offset:2px}
.note{font-size:.875rem;opacity:.8}
[role=alert]{border-left:4px solid #c62828;padding-left:.75rem}`;

/** A whole page. `body` is HTML; everything from outside in it must be escaped already. */
export function page(
  status: number,
  title: string,
  body: string,
  options: { readonly frameAncestors: readonly string[]; readonly script?: string },
): SandboxReply {
  const ancestors = options.frameAncestors.length === 0 ? "'none'" : options.frameAncestors.join(' ');
  const [script, from] =
    options.script === undefined
      ? ['', "'none'"]
      : [`<script src="${escapeHtml(options.script)}"></script>`, "'self'"];
  return {
    kind: 'answer',
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      // No form-action: browsers apply it to the redirect that follows the form, which leads to the portal.
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src ${from}; frame-ancestors ${ancestors}`,
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main>${script}</body></html>`,
  };
}

export function redirect(to: string): SandboxReply {
  return {
    kind: 'answer',
    status: 303,
    headers: { location: to, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  };
}

/** Amount for people, such as `AUD 125.50`, by the currency's own number of decimals. */
export function shownAmount(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
    currencyDisplay: 'code',
  });
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  const digits = String(minor).padStart(decimals + 1, '0');
  const exact = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${currency.toUpperCase()} ${exact}`;
}
