/** All endpoints of the API. */
import { checkoutRoutes } from './checkout.ts';
import { customerRoutes } from './customers.ts';
import { paymentIntentRoutes } from './payment-intents.ts';
import { paymentMethodRoutes } from './payment-methods.ts';
import { recordRoutes } from './records.ts';
import { refundRoutes } from './refunds.ts';
import type { Route } from './route.ts';
import { setupIntentRoutes } from './setup-intents.ts';
import { tokenRoutes } from './tokens.ts';

export const routes: readonly Route[] = [
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...customerRoutes,
  ...tokenRoutes,
  ...refundRoutes,
  ...checkoutRoutes,
  ...recordRoutes,
];
