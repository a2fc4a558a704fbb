import { PayPage } from '../features/public-pay/pay-page.tsx';
import { servedPage } from '../features/public-pay/served-page.ts';
import { drawPage } from '../lib/draw-page.tsx';
import { firstPaint } from '../lib/first-paint.ts';

/** Only the form is drawn: the other states come of what this browser has done, or wait for an answer. */
export const draw = drawPage(() => {
  const payment = firstPaint?.payment;
  const shell = payment && servedPage(payment);
  return shell ? <PayPage flow={shell} outcomes={shell.outcomes} kept={undefined} /> : undefined;
});
