/** What a Checkout Session is created with, and what its lines cost. */

import {
  group,
  id,
  ignored,
  list,
  oneOf,
  type ReadFields,
  required,
  text,
  webAddress,
  whole,
} from '@counterfoil/sandbox/params.ts';
import { checkAmount, readCurrency } from './currency.ts';
import { invalid, missing } from './errors.ts';
import { typeFields } from './intents.ts';
import { common, metadata } from './lists.ts';

const lineItem = group({
  price: id(),
  price_data: group({
    currency: required(id()),
    unit_amount: whole(0),
    unit_amount_decimal: ignored,
    product: ignored,
    product_data: group({
      name: required(id(1000)),
      description: text(),
      images: ignored,
      metadata,
      tax_code: ignored,
    }),
    tax_behavior: ignored,
  }),
  quantity: whole(0),
  adjustable_quantity: ignored,
  dynamic_tax_rates: ignored,
  tax_rates: ignored,
});
export const checkoutFields = {
  ...common,
  ...typeFields,
  adaptive_pricing: ignored,
  after_expiration: ignored,
  allow_promotion_codes: ignored,
  automatic_tax: ignored,
  billing_address_collection: oneOf('auto', 'required'),
  branding_settings: ignored,
  cancel_url: webAddress,
  client_reference_id: id(200),
  consent_collection: ignored,
  currency: id(),
  custom_fields: ignored,
  custom_text: ignored,
  customer: id(),
  customer_account: ignored,
  customer_creation: oneOf('always', 'if_required'),
  customer_email: id(512),
  customer_update: ignored,
  discounts: ignored,
  expires_at: whole(0),
  invoice_creation: ignored,
  line_items: list(lineItem),
  locale: id(),
  metadata,
  mode: oneOf('payment', 'setup', 'subscription'),
  origin_context: ignored,
  payment_intent_data: group({
    capture_method: oneOf('automatic', 'automatic_async', 'manual'),
    description: text(1000),
    metadata,
    receipt_email: text(512),
    setup_future_usage: oneOf('off_session', 'on_session'),
    statement_descriptor: text(22),
    statement_descriptor_suffix: text(22),
  }),
  payment_method_collection: ignored,
  payment_method_data: ignored,
  payment_method_options: ignored,
  phone_number_collection: ignored,
  redirect_on_completion: ignored,
  return_url: webAddress,
  saved_payment_method_options: ignored,
  setup_intent_data: group({ description: text(1000), metadata, on_behalf_of: ignored }),
  shipping_address_collection: ignored,
  shipping_options: ignored,
  submit_type: ignored,
  success_url: webAddress,
  tax_id_collection: ignored,
  ui_mode: oneOf('hosted_page', 'embedded_page', 'elements', 'form'),
  wallet_options: ignored,
};

/** The total of the lines. @throws {StripeFault} 400 on mixed currencies, unknown prices, or a bad total */
export function price(items: NonNullable<ReadFields<typeof checkoutFields>['line_items']>) {
  let total = 0;
  let currency: string | undefined;
  const labels: string[] = [];
  for (const [index, item] of items.entries()) {
    const at = `line_items[${index}]`;
    if (item.price !== undefined) throw missing('price', item.price, `${at}[price]`);
    const data = item.price_data;
    if (data?.unit_amount === undefined) {
      throw invalid(
        `Missing required param: ${at}[price_data][unit_amount].`,
        `${at}[price_data][unit_amount]`,
        'parameter_missing',
      );
    }
    const own = readCurrency(data.currency);
    if (currency !== undefined && own !== currency) {
      throw invalid('All line items must have the same currency.', `${at}[price_data][currency]`);
    }
    currency = own;
    total += data.unit_amount * (item.quantity ?? 1);
    labels.push(data.product_data?.name ?? 'Item');
  }
  const known = currency ?? 'usd';
  checkAmount(total, known);
  return { total, currency: known, label: labels.join(', ') };
}
