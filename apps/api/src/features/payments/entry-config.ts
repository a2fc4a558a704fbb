import type { EntryConfig, FormField } from '@counterfoil/contract/paying/entry-config.ts';
import type { Entry, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { DebitScheme } from '@counterfoil/gateways/port/saved-manifest.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from './accounts.ts';

/** How numbers of a kind get to the gateway: as the account has chosen, else the first way; undefined where it takes none. */
export function wayOfEntry({ gateway, entries }: GatewayAccount, kind: MethodKind): Entry | undefined {
  const ways = gateway.capabilities.entry[kind] ?? [];
  return ways.find(({ how }) => how === entries[kind]) ?? ways[0];
}

/** What a page needs to take a card; `fields` beside its number. Undefined where none is taken. */
export const cardEntryOf = (
  account: GatewayAccount,
  brand: Brand,
  fields: readonly FormField[],
): EntryConfig | undefined => entryOf(account, brand, 'card', fields);

/** What a page needs to take an account of this kind; undefined where none is taken. */
export const bankEntryOf = (
  account: GatewayAccount,
  brand: Brand,
  { scheme, currency, fields }: DebitScheme,
): EntryConfig | undefined => {
  const entry = entryOf(account, brand, 'bank', fields);
  return entry && { ...entry, scheme, currency };
};

function entryOf(
  account: GatewayAccount,
  brand: Brand,
  kind: MethodKind,
  fields: readonly FormField[],
): EntryConfig | undefined {
  const way = wayOfEntry(account, kind);
  return (
    way && {
      integrationType: account.module.manifest.integrationType,
      how: way.how,
      public: account.publicConfig,
      // Split ones are a setting of the reseller.
      separateInputs: brand.reseller.separateCardInputs,
      formFields: [...fields],
      isPrepared: account.gateway.prepareEntry !== undefined,
    }
  );
}
