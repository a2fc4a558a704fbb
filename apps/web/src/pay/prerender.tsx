import { servedPage } from '../features/public-pay/link/served-page.ts';
import { PayPage } from '../features/public-pay/pay-page.tsx';
import { drawPage } from '../lib/page/draw-page.tsx';
import { firstPaint } from '../lib/page/first-paint.ts';

/** Only the form is drawn: the other states come of what this browser has done, or wait for an answer. */
export const draw = drawPage(() => {
  const payment = firstPaint?.payment;
  const shell = payment && servedPage(payment);
  return shell ? <PayPage flow={shell} outcomes={shell.outcomes} kept={undefined} /> : undefined;
});
