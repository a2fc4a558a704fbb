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

const scripts = new URL('./', (document.currentScript as HTMLScriptElement).src).href;
const base = new URL('../v5/', scripts).href;

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

interface Place {
  readonly selector: string;
}
interface FieldsOptions {
  readonly card: {
    readonly number: Place;
    readonly expiry: { readonly month: Place; readonly year: Place };
    readonly cvn: Place;
    readonly name: Place;
  };
  onFormLoaded(controller: { submit(done: Done): void }): void;
}

/** Each input in a frame of its own; that of the number sends them all, so that the page sees none. */
function setUpFields(of: 'txns' | 'tokens') {
  return (authkey: string, { card, onFormLoaded }: FieldsOptions): void => {
    const group = crypto.randomUUID();
    const { month, year } = card.expiry;
    const places = { number: card.number, month, year, cvn: card.cvn, name: card.name };
    const frames = Object.entries(places).map(([name, { selector }]) => {
      const frame = document.createElement('iframe');
      frame.title = `Card ${name}, at the payment provider`;
      frame.src = `${scripts}field.html#${group}/${name}`;
      frame.style.cssText = 'border:0;display:block;width:100%;height:28px;color-scheme:light only';
      const place = document.querySelector(selector);
      if (place === null) throw new Error(`${selector} is not on the page`);
      place.replaceChildren(frame);
      return frame;
    });
    const loads = frames.map(
      (frame) => new Promise((resolve) => frame.addEventListener('load', resolve, { once: true })),
    );
    void Promise.all(loads).then(() =>
      onFormLoaded({
        submit(done) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }: MessageEvent<{ readonly code: string; readonly data: unknown }>) =>
            done(data.code, data.data);
          frames[0]?.contentWindow?.postMessage({ attach: of, authkey }, new URL(scripts).origin, [port2]);
        },
      }),
    );
  };
}

Object.assign(window, {
  BPOINT: {
    txn: { authkey: { attachPaymentMethod: attachTo('txns'), setupIframeFields: setUpFields('txns') } },
    token: { authkey: { attachPaymentMethod: attachTo('tokens'), setupIframeFields: setUpFields('tokens') } },
  },
});
