import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { addBrandHost } from '../../features/admin/brand-hosts.ts';
import { setBrandImage } from '../../features/admin/brand-images.ts';
import { addBrand } from '../../features/admin/brands.ts';
import { type GatewayDeps, setGatewayAccount } from '../../features/admin/gateway-accounts.ts';
import { addReseller } from '../../features/admin/resellers.ts';
import { addUser } from '../../features/admin/users.ts';
import { addCustomer } from '../../features/customers/service.ts';
import { demoAccount, demoGateways, demoOf } from '../gateways.ts';
import type { DemoBrand } from '../world/brand.ts';
import { drawBanner, drawLogo } from '../world/brand-art.ts';
import { demoBrands } from '../world/brands.ts';
import { demoCustomers, demoUsers } from '../world/customers.ts';
import { EPOCH_MS, fixedId } from '../world/random.ts';
import { demoResellers } from '../world/resellers.ts';
import { demoServices, demoTypes, serviceId, typeId } from '../world/tariff.ts';
import { writeRows } from './write-rows.ts';

const epoch = new Date(EPOCH_MS);

/** Resellers, brands, gateways, customers and users, made as the provider's commands make them. */
export async function writePeople(
  tx: Tx,
  deps: GatewayDeps,
  passwordHashes: ReadonlyMap<string, string>,
): Promise<void> {
  for (const reseller of demoResellers) await addReseller(tx, { ...reseller, isDemo: true });
  for (const brand of demoBrands) await writeBrand(tx, brand);
  for (const { resellerId, gateway } of demoGateways) {
    if (gateway !== null) await writeGateway(tx, deps, resellerId, gateway);
  }
  for (const customer of demoCustomers) {
    const brand = demoBrands.find((one) => one.id === customer.brandId);
    if (brand === undefined) throw new RangeError(`no brand ${customer.brandId}`);
    const { id, label, brandId, email, country, street, city, postalCode, key } = customer;
    const address = { lines: [street], city, postalCode };
    const externalRef = `CUST-${customer.ordinal}`;
    const identities = [{ kind: 'accountCode', value: key } as const];
    await addCustomer(
      tx,
      { id, resellerId: brand.resellerId, label, brandId, externalRef, email, country, address, identities },
      epoch,
    );
  }
  for (const { email, name, resellerId, customerIds } of demoUsers) {
    const passwordHash = passwordHashes.get(email) ?? null;
    const id = fixedId(`user ${email}`);
    await addUser(tx, { id, resellerId, email, displayName: name, passwordHash, customerIds }, epoch);
  }
}

async function writeBrand(tx: Tx, brand: DemoBrand): Promise<void> {
  await addBrand(tx, brand);
  for (const host of brand.hosts) await addBrandHost(tx, brand.id, host, false);
  const [, accent = '', , , deep = ''] = brand.colours;
  await setBrandImage(tx, brand.id, 'logo', drawLogo(brand.motif, accent, deep));
  await setBrandImage(tx, brand.id, 'banner', drawBanner(brand.pattern, brand.motif, deep, accent));
}

/** Keys of the sandbox where this program has the gateway; else an account it cannot open, as the pay page says. */
async function writeGateway(tx: Tx, deps: GatewayDeps, resellerId: number, gateway: string): Promise<void> {
  const id = fixedId(`gateway account ${resellerId}`);
  const isKnown = deps.modules.some((module) => module.manifest.id === gateway);
  const demo = demoOf(gateway);
  if (demo === undefined || !isKnown) {
    await tx.execute(sql`
      insert into gateway_account (id, reseller_id, gateway, created_at)
      values (${id}, ${resellerId}, ${gateway}, ${epoch})`);
    return;
  }
  const settings = [
    ...demo.settings(demoAccount(resellerId)),
    ...(resellerId === 8266 ? (demo.separateInputs ?? []) : []),
  ];
  await setGatewayAccount(tx, deps, { id, resellerId, gateway, settings }, epoch);
}

/** Services and record types of every demo reseller. */
export async function writeTariffs(tx: Tx): Promise<void> {
  const services = demoResellers.flatMap(({ id }) =>
    demoServices.map(({ code, name, labels: [item, item2, item3, units, type] }) => ({
      id: serviceId(id, code),
      reseller_id: id,
      code,
      name,
      // The last reseller leaves its labels at their defaults.
      ...(id === 3000
        ? {}
        : {
            service_item_label: item,
            service_item2_label: item2,
            service_item3_label: item3,
            units_label: units,
            record_type_label: type,
          }),
    })),
  );
  await writeRows(
    tx,
    'service',
    {
      id: 'uuid',
      reseller_id: 'int',
      code: 'text',
      name: 'text',
      service_item_label: 'text',
      service_item2_label: 'text',
      service_item3_label: 'text',
      units_label: 'text',
      record_type_label: 'text',
    },
    services,
  );
  const types = demoResellers.flatMap(({ id }) =>
    demoTypes.map((one) => ({
      id: typeId(id, one),
      reseller_id: id,
      service_id: serviceId(id, one.service),
      code: one.code,
      description: one.name,
      unit: one.counts,
    })),
  );
  await writeRows(
    tx,
    'record_type',
    { id: 'uuid', reseller_id: 'int', service_id: 'uuid', code: 'text', description: 'text', unit: 'text' },
    types,
  );
  for (const { id, resellerId } of demoBrands) {
    await tx.execute(sql`
      update brand set settings = settings || jsonb_build_object('endServiceId', ${serviceId(resellerId, 'voice')}::text)
       where id = ${id}`);
  }
}
