/** Who owns a method of paying. */
export interface PostalAddress {
  readonly line1?: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
  /** ISO 3166 alpha-2. */
  readonly country?: string;
}

/** Who owns a method, as typed beside it or known of the customer. What is not known stays away. */
export interface BillingOwner {
  /** The card holder, or the holder of the account. */
  readonly name?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly billing?: PostalAddress;
  readonly shipping?: PostalAddress;
  readonly shippingPhone?: string;
}

/** An owner under the names of `Method.show`; what is empty stays away. */
export function shownOwner({
  name,
  email,
  phone,
  billing = {},
}: BillingOwner): Readonly<Record<string, string>> {
  const { line1, line2, city, state, postalCode, country } = billing;
  const shown = { name, email, phone, line1, line2, city, state, postalCode, country };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([key, value]) =>
      value === undefined || value === '' ? [] : [[key, value]],
    ),
  );
}
