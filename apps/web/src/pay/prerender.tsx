import { PayPage } from '../features/public-pay/pay-page.tsx';
import { servedFlow } from '../features/public-pay/served-flow.ts';
import { drawPage } from '../lib/draw-page.tsx';
import { firstPaint } from '../lib/first-paint.ts';

/** Only the form is drawn: the other states name moments, and only the browser knows the reader's time zone. */
export const draw = drawPage(() => {
  const payment = firstPaint?.payment;
  const flow = payment ? servedFlow(payment) : undefined;
  return flow && <PayPage flow={flow} kept={undefined} />;
});
