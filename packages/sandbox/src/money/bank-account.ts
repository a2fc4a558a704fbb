/** Test bank accounts: a number decides how its debits end. Settled later, refused later, charged back later. */

export interface BankBehaviour {
  /** The debit scheme, as the gateway calls it. */
  readonly scheme: string;
  readonly last4: string;
  /** Why the debit fails. */
  readonly fails?: string;
  readonly delayed?: true;
  /** The failure also ends the mandate. */
  readonly endsMandate?: true;
  /** The mandate is refused by the bank after the set-up. */
  readonly mandateRefused?: true;
  /** Refused when the method is created. */
  readonly notSupported?: true;
}

export type BankRow = readonly [
  account: string,
  name: string,
  behaviour: Omit<BankBehaviour, 'scheme' | 'last4'>,
];

export class BankTable {
  readonly #names = new Map<string, string>();
  readonly #byName = new Map<string, BankBehaviour>();
  readonly #numbers = new Map<string, string>();

  /** @param rows by scheme; the first row of each is what an account outside the table does */
  constructor(rows: Readonly<Record<string, readonly BankRow[]>>) {
    for (const [scheme, accounts] of Object.entries(rows)) {
      for (const [number, name, behaviour] of accounts) {
        const full = `${scheme}/${name}`;
        this.#names.set(`${scheme}/${number}`, full);
        this.#byName.set(full, { ...behaviour, scheme, last4: number.slice(-4) });
        this.#numbers.set(full, number);
      }
      this.#names.set(scheme, `${scheme}/${accounts[0]?.[1]}`);
    }
  }

  nameOf(scheme: string, account: string): string {
    return this.#names.get(`${scheme}/${account}`) ?? this.#names.get(scheme) ?? '';
  }

  named(name: string): BankBehaviour | undefined {
    return this.#byName.get(name);
  }

  /** The account number behind a name. */
  numberOf(name: string): string | undefined {
    return this.#numbers.get(name);
  }
}

/** ABA check digit of a US routing number: weights 3, 7, 1. */
export function isRoutingNumber(digits: string): boolean {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  );
  return /^\d{9}$/.test(digits) && sum % 10 === 0;
}

/** ISO 13616: length, and remainder 1 modulo 97. */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  let remainder = 0;
  for (const character of `${iban.slice(4)}${iban.slice(0, 4)}`) {
    for (const digit of String(Number.parseInt(character, 36)))
      remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}
