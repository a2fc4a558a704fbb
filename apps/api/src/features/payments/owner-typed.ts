import type { PayerMembers } from '@counterfoil/contract/paying/entry-config.ts';
import type { BillingAddress } from '@counterfoil/contract/paying/public-pay.ts';
import type { BillingOwner, PostalAddress } from '@counterfoil/gateways/port/gateway.ts';

/** Members of the calls that take a method, as far as they tell whose it is. */
interface OwnerMembers {
  readonly cardHolder?: string | undefined;
  readonly accountHolderName?: string | undefined;
  readonly email?: string | undefined;
  readonly billingAddress?: BillingAddress | undefined;
  readonly nexioCustomerDetails?: PayerMembers | undefined;
  readonly customer?: PayerMembers | undefined;
}

/** Who owns a method, as it was typed; what is empty stays away. */
export function ownerTyped(body: OwnerMembers): BillingOwner {
  const payer = body.nexioCustomerDetails ?? body.customer ?? {};
  const { address, city, state, zip, country } = body.billingAddress ?? addressOf(payer);
  const billing: PostalAddress = filled({
    line1: address,
    line2: payer.billingAddress2,
    city,
    state,
    postalCode: zip,
    country,
  });
  const shipping: PostalAddress = filled({ line1: payer.shippingAddress });
  return {
    ...filled({
      name: body.cardHolder ?? body.accountHolderName,
      firstName: payer.payerFirstName,
      lastName: payer.payerLastName,
      company: payer.company,
      email: body.email || payer.email,
      phone: payer.phone ?? payer.billingPhone,
      shippingPhone: payer.shippingPhone,
    }),
    ...(Object.keys(billing).length > 0 && { billing }),
    ...(Object.keys(shipping).length > 0 && { shipping }),
  };
}

/** Of a payer whose address stands beside the name. */
const addressOf = ({
  billingAddress: address,
  city,
  state,
  zip,
  country,
}: PayerMembers): { readonly [Member in keyof BillingAddress]: string | undefined } => ({
  address,
  city,
  state,
  zip,
  country,
});

const filled = (typed: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
