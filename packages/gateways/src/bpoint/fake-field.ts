/** One input of the provider's, inside its frame. The frame of the number attaches what stands in all of them. */
interface Field {
  readonly group: string;
  readonly name: string;
  readonly value: () => string;
}
interface Framed extends Window {
  bpointField?: Field;
}

const labels: Readonly<Record<string, string>> = {
  number: 'Card number',
  month: 'Expiry month',
  year: 'Expiry year',
  cvn: 'CVC',
  name: 'Name on card',
};
const autofill: Readonly<Record<string, string>> = {
  number: 'cc-number',
  month: 'cc-exp-month',
  year: 'cc-exp-year',
  cvn: 'cc-csc',
  name: 'cc-name',
};

const [group = '', name = ''] = window.location.hash.slice(1).split('/');
const input = document.createElement('input');
input.setAttribute('aria-label', labels[name] ?? name);
input.setAttribute('autocomplete', autofill[name] ?? 'off');
if (name !== 'name') input.inputMode = 'numeric';
document.body.append(input);
(window as Framed).bpointField = { group, name, value: () => input.value.trim() };

/** What stands in the inputs of this form, by name. */
function typed(): Readonly<Record<string, string>> {
  const found: [string, string][] = [];
  for (let at = 0; at < window.parent.length; at += 1) {
    try {
      const field = (window.parent[at] as Framed | undefined)?.bpointField;
      if (field?.group === group) found.push([field.name, field.value()]);
    } catch {
      // A frame of another origin: not ours.
    }
  }
  return Object.fromEntries(found);
}

async function attach(of: string, authkey: string): Promise<{ code: string; data: unknown }> {
  const { number = '', month = '', year = '', cvn, name: holder = '' } = typed();
  const expiry = { month: month.padStart(2, '0'), year: year.slice(-2) };
  const path = `/bpoint/rest/v5/${of === 'tokens' ? of : 'txns'}/authkeys/${encodeURIComponent(authkey)}/payment-method`;
  try {
    const answer = await fetch(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card: { number, expiry, cvn, name: holder } }),
    });
    return { code: answer.ok ? 'success' : 'error', data: await answer.json() };
  } catch {
    return { code: 'error', data: { message: 'The service could not be reached', details: [] } };
  }
}

window.addEventListener('message', ({ source, data, ports: [port] }: MessageEvent) => {
  if (source !== window.parent || port === undefined || name !== 'number') return;
  void attach(String(data.attach), String(data.authkey)).then((came) => port.postMessage(came));
});
