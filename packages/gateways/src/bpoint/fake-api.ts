/** The provider's client script as the sandbox imitates it: own inputs, and its fields in the page's places. */
interface Card {
  readonly number: string;
  readonly expiry: { readonly month: string; readonly year: string };
  readonly cvn?: string;
  readonly name?: string;
}
interface Attached {
  readonly card?: Card;
  readonly bank?: { readonly bsb: string; readonly account: string; readonly name: string };
}
type Done = (code: string, data: unknown) => void;

const base = new URL('../v5/', (document.currentScript as HTMLScriptElement).src).href;

function attachTo(of: 'txns' | 'tokens') {
  return (authkey: string, method: Attached, done: Done): void => {
    fetch(`${base}${of}/authkeys/${encodeURIComponent(authkey)}/payment-method`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(method),
    }).then(
      async (answer) => {
        const data: unknown = await answer.json().catch(() => ({ message: 'no answer' }));
        done(answer.ok ? 'success' : 'error', data);
      },
      () => done('error', { message: 'The service could not be reached', details: [] }),
    );
  };
}

Object.assign(window, {
  BPOINT: {
    txn: { authkey: { attachPaymentMethod: attachTo('txns') } },
    token: { authkey: { attachPaymentMethod: attachTo('tokens') } },
  },
});
