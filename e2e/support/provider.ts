import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gatewayDemos } from '@counterfoil/gateways/demo-registry.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { Database } from '../../apps/api/src/db/database.ts';
import { addBrandHost } from '../../apps/api/src/features/admin/brand-hosts.ts';
import { addBrand } from '../../apps/api/src/features/admin/brands.ts';
import { setGatewayAccount } from '../../apps/api/src/features/admin/gateway-accounts.ts';
import { addReseller } from '../../apps/api/src/features/admin/resellers.ts';
import { addUser } from '../../apps/api/src/features/admin/users.ts';
import { hashPassword } from '../../apps/api/src/features/auth/passwords/passwords.ts';
import { addCustomer } from '../../apps/api/src/features/customers/service.ts';
import {
  type SampleDocument,
  sampleUbl,
} from '../../apps/api/src/features/imports/invoices/sample-documents.ts';
import type { ImportReport, InvoiceReport } from '../../apps/api/src/features/imports/report/report.ts';
import { importFiles } from '../../apps/api/src/features/imports/service.ts';
import { openFileStore } from '../../apps/api/src/files/open-file-store.ts';
import { createSecrets, type Secrets } from '../../apps/api/src/secrets.ts';
import { demoPassword } from './demo.ts';
import type { StackFacts } from './stack/portal-stack.ts';

/** The one buyer of a provider's documents. */
const BUYER = '7300010000902';
/** The pay page asks for the card alone. */
const SHORT_FORM = ['billingAddressRequired=false', 'cardHolderRequired=false'];

export interface ProviderOptions {
  /** Settings of the brand, `name=value`. */
  readonly settings?: readonly string[] | undefined;
  /** Nothing is said about the brand but its name. */
  readonly withoutSettings?: boolean;
  readonly colours?: readonly string[];
  readonly currency?: string;
  /** False: the reseller has no payment gateway. */
  readonly hasGateway?: boolean;
  /** Folder name of its gateway; Stripe unless said. */
  readonly gateway?: string;
  /** Settings of the gateway's account beside its keys, `name=value`. */
  readonly accountSettings?: readonly string[] | undefined;
  /** The gateway's account: its keys are good unless this is said (of Stripe). */
  readonly keys?: 'refused';
  /** Settings of the reseller, `name=value`. */
  readonly resellerSettings?: readonly string[];
  /** Names of further customers of the user. */
  readonly moreCustomers?: readonly string[];
}

/** A provider of a test file's own, with one customer and one user, so that files cannot disturb one another. */
export interface Provider {
  readonly resellerId: number;
  readonly brandId: number;
  readonly companyName: string;
  readonly host: string;
  /** Address of its portal, without a path. */
  readonly url: string;
  readonly customerId: string;
  readonly email: string;
  readonly password: string;
  /** Its account at the sandbox. */
  readonly account: string;
  /** Takes documents in as `counterfoil import` does; the buyer is the provider's customer. */
  take(...documents: readonly SampleDocument[]): Promise<ImportReport>;
  /** An open invoice of one line without tax. @param amount decimal text */
  bill(amount: string): Promise<Bill>;
}

export interface Bill {
  readonly number: string;
  readonly amount: string;
  /** Path of its pay page. */
  readonly payPath: string;
  /** The token in that path. */
  readonly uid: string;
}

/** Makes providers in the stack's database through the product's own administration. */
export class Providers {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly #facts: StackFacts;
  #files = 0;
  /** Of the one password all their users have. */
  #passwordHash: Promise<string> | undefined;

  constructor(facts: StackFacts) {
    this.#facts = facts;
    this.db = new Database({ url: facts.databaseUrl, name: 'e2e', max: 4, statementTimeoutMs: 30_000 });
    this.secrets = createSecrets(facts.secretKey);
  }

  end = (): Promise<void> => this.db.end();

  /** For what no command does, such as letting time pass. */
  async sql(text: string, values: readonly unknown[] = []): Promise<void> {
    await this.db.withConnection((client) => client.query(text, [...values]));
  }

  /** Does something while an import seems to run in another process. */
  whileImporting = (id: string, work: () => Promise<void>): Promise<void> =>
    this.db.withConnection(async (client) => {
      await client.query('select pg_advisory_lock(hashtextextended($1, 7061))', [id]);
      await client.query("update import_file set state = 'running' where id = $1", [id]);
      await work();
      await client.query('select pg_advisory_unlock(hashtextextended($1, 7061))', [id]);
    });

  async add(options: ProviderOptions = {}): Promise<Provider> {
    const id = randomInt(100_000, 99_999_999);
    const host = `e2e${id}.localhost`;
    const companyName = `Provider ${id} Ltd`;
    const email = `user${id}@e2e.example`;
    const account = `e2e${id}`;
    const gateway = options.gateway ?? 'stripe';
    const sandboxDemo = gatewayDemos[gateway];
    const now = new Date();
    this.#passwordHash ??= hashPassword(demoPassword);
    const passwordHash = await this.#passwordHash;
    const { brandId, customerId } = await this.db.transaction(async (tx) => {
      // Of the demo: a server that is killed and started again refuses to be one beside others.
      const settings = options.resellerSettings ?? [];
      await addReseller(tx, { id, name: `Reseller ${id}`, settings, isDemo: this.#facts.demo !== null });
      const brand = await addBrand(tx, {
        resellerId: id,
        name: `Brand ${id}`,
        companyName,
        colours: options.colours,
        currency: options.currency ?? 'USD',
        settings: options.withoutSettings ? [] : [...SHORT_FORM, ...(options.settings ?? [])],
      });
      await addBrandHost(tx, brand.id, host, true);
      const customer = await addCustomer(
        tx,
        {
          resellerId: id,
          brandId: brand.id,
          label: `Customer of ${id}`,
          email: `accounts${id}@e2e.example`,
          identities: [{ kind: 'endpoint', value: `0088:${BUYER}` }],
        },
        now,
      );
      const more: string[] = [];
      for (const label of options.moreCustomers ?? []) {
        more.push((await addCustomer(tx, { resellerId: id, brandId: brand.id, label }, now)).id);
      }
      const user = { resellerId: id, email, displayName: 'Eve Endtoend', passwordHash };
      await addUser(tx, { ...user, customerIds: [customer.id, ...more] }, now);
      if (options.hasGateway !== false) {
        const settings = [
          ...(sandboxDemo?.settings(account) ?? []),
          ...(options.keys === 'refused' ? [`secretKey=sk_test_invalid${account}`] : []),
          ...(options.accountSettings ?? []),
        ];
        const deps = { secrets: this.secrets, modules: gatewayModules };
        await setGatewayAccount(tx, deps, { resellerId: id, gateway, settings }, now);
      }
      return { brandId: brand.id, customerId: customer.id };
    });
    const secret = sandboxDemo?.webhookSecret?.(account);
    if (options.hasGateway !== false && secret !== undefined)
      await this.#registerWebhook({ gateway, resellerId: id, secret, account });
    const take: Provider['take'] = (...documents) => this.#take(id, documents);
    return {
      resellerId: id,
      brandId,
      companyName,
      host,
      customerId,
      email,
      account,
      take,
      url: `http://${host}:${this.#facts.port}`,
      password: demoPassword,
      bill: async (amount) =>
        billOf(amount, (await take(documentOf(amount, options.currency ?? 'USD'))).invoices[0]),
    };
  }

  /** The gateway takes the provider's secret key no more. */
  refuseKeys = ({ resellerId, account }: Provider): Promise<void> =>
    this.#setKey(resellerId, `invalid${account}`);

  acceptKeys = ({ resellerId, account }: Provider): Promise<void> => this.#setKey(resellerId, account);

  async #setKey(resellerId: number, name: string): Promise<void> {
    const deps = { secrets: this.secrets, modules: gatewayModules };
    const settings = [`secretKey=sk_test_${name}`];
    await this.db.transaction((tx) =>
      setGatewayAccount(tx, deps, { resellerId, gateway: 'stripe', settings }, new Date()),
    );
  }

  async #registerWebhook(of: {
    readonly gateway: string;
    readonly resellerId: number;
    readonly secret: string;
    readonly account: string;
  }): Promise<void> {
    const { gateway, resellerId, secret, account } = of;
    const url = `http://127.0.0.1:${this.#facts.port}/v1/webhooks/${gateway}/${resellerId}`;
    const response = await fetch(`${this.#facts.sandboxUrl}/_sandbox/webhooks`, {
      method: 'POST',
      body: JSON.stringify({ gateway, url, secret, account }),
    });
    if (!response.ok) throw new Error(`the sandbox takes no webhook address: ${await response.text()}`);
  }

  async #take(resellerId: number, documents: readonly SampleDocument[]): Promise<ImportReport> {
    const folder = join(this.#facts.folder, 'documents');
    mkdirSync(folder, { recursive: true });
    const paths = documents.map((document) => {
      this.#files += 1;
      const file = join(folder, `${process.pid}-${this.#files}.xml`);
      writeFileSync(file, sampleUbl({ buyer: BUYER, ...document }));
      return file;
    });
    const files = openFileStore(pathToFileURL(`${folder}/`));
    const deps = { db: this.db, secrets: this.secrets, publicUrl: new URL(this.#facts.url), files };
    const report = await importFiles(deps, { files: paths, resellerId, isDemo: false, now: new Date() });
    const refused = report.quarantine[0];
    if (refused !== undefined) throw new Error(`a test's document was not taken in: ${refused.reason}`);
    return report;
  }
}

function documentOf(amount: string, currency: string): SampleDocument {
  const issuedOn = new Date().toISOString().slice(0, 10);
  return {
    number: `E2E-${randomInt(1_000_000, 999_999_999)}`,
    currency,
    issuedOn,
    lines: [{ amount, name: 'Line rental' }],
    sums: [amount, '0.00', amount, amount],
  };
}

function billOf(amount: string, invoice: InvoiceReport | undefined): Bill {
  if (invoice?.payLink == null) throw new Error('the document gave no invoice with a pay link');
  const payPath = new URL(invoice.payLink).pathname;
  return { number: invoice.number, amount, payPath, uid: payPath.slice('/pay/'.length) };
}
