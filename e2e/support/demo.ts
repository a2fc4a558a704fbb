/** What `counterfoil demo --json` answers. */
export interface Demo {
  readonly brands: readonly {
    readonly id: number;
    readonly resellerId: number;
    readonly host: string;
    readonly gateway: string | null;
  }[];
  readonly users: readonly {
    readonly email: string;
    readonly password: string;
    readonly customerIds: readonly string[];
  }[];
  readonly customers: readonly { readonly id: string; readonly label: string; readonly resellerId: number }[];
  readonly invoices: readonly DemoInvoice[];
}

export interface DemoInvoice {
  readonly id: string;
  readonly number: string;
  readonly customerId: string;
  readonly state: string;
  /** Decimal text. */
  readonly amountDue: string;
  readonly currency: string;
  readonly payLink: string | null;
}

/** Password of every demo user. */
export const demoPassword = 'Ledger!2026';
