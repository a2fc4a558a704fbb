import type { BillingOwner, PostalAddress } from '@counterfoil/gateways/port/gateway.ts';
import * as z from 'zod/mini';

const text = z.exactOptional(z.string());

const postalAddress: z.ZodMiniType<PostalAddress> = z.object({
  line1: text,
  line2: text,
  city: text,
  state: text,
  postalCode: text,
  country: text,
});

/** Who owns a method, as it is stored sealed. */
export const billingOwner: z.ZodMiniType<BillingOwner> = z.object({
  name: text,
  firstName: text,
  lastName: text,
  company: text,
  email: text,
  phone: text,
  billing: z.exactOptional(postalAddress),
  shipping: z.exactOptional(postalAddress),
  shippingPhone: text,
});
