import { adjustmentValues } from '@counterfoil/contract/operator/billing/adjustments.ts';
import { serviceItemValues } from '@counterfoil/contract/operator/billing/admin-service-items.ts';
import { agreementValues, billingPeriodValues } from '@counterfoil/contract/operator/billing/agreements.ts';
import { bundleValues } from '@counterfoil/contract/operator/billing/bundles.ts';
import { chargeValues } from '@counterfoil/contract/operator/billing/charges.ts';
import { bulkInvoice } from '@counterfoil/contract/operator/billing/put-invoice.ts';
import { bulkService } from '@counterfoil/contract/operator/billing/services.ts';
import { bulkCustomer, bulkUser } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import type { ImportKind } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { ownReference } from '@counterfoil/contract/operator/parts.ts';
import { newExternalPayment } from '@counterfoil/contract/operator/paying/external-payments.ts';
import * as z from 'zod/mini';
import { type EntityColumn, type EntityKind, entityKinds } from './kinds.ts';

const named = (values: z.ZodMiniObject) => z.extend(values, { reference: ownReference });

/** The schema of a line of each bulk call. */
const schemas = (): Readonly<Record<string, z.ZodMiniType>> => ({
  customers: bulkCustomer,
  users: bulkUser,
  services: bulkService,
  agreements: named(agreementValues),
  'billing-periods': named(billingPeriodValues),
  'service-items': named(serviceItemValues),
  bundles: named(bundleValues),
  charges: named(chargeValues),
  adjustments: named(adjustmentValues),
  invoices: bulkInvoice,
  'external-payments': newExternalPayment,
});

/** As far as JSON Schema is looked at. */
interface JsonSchema {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

export type DescribedColumn = ImportKind['columns'][number] & Pick<EntityColumn, 'alsoCalled'>;

/** A kind with what the schema of its bulk call says of each column. */
export interface DescribedKind extends Omit<EntityKind, 'columns'> {
  readonly columns: readonly DescribedColumn[];
}

/** What is inside, where null is allowed too. */
const inner = (schema: JsonSchema | undefined): JsonSchema =>
  schema?.anyOf?.find(({ type }) => type !== 'null') ?? schema ?? {};

function described(kind: EntityKind, whole: JsonSchema): DescribedKind {
  const columns = kind.columns.map((column): DescribedColumn => {
    const { name, form, example, alsoCalled, meaning, isDerived } = column;
    let [schema, isRequired]: [JsonSchema, boolean] = [whole, true];
    for (const member of name.split('.')) {
      const at = inner(schema.items ?? schema);
      isRequired &&= at.required?.includes(member) === true;
      schema = inner(at.properties?.[member]);
      schema = {
        ...schema,
        ...(at.properties?.[member]?.description !== undefined && {
          description: at.properties[member].description,
        }),
      };
    }
    return {
      name,
      form,
      example,
      alsoCalled,
      meaning: meaning ?? schema.description ?? '',
      isRequired: isRequired && isDerived !== true,
      choices: form === 'choice' ? [...(schema.enum ?? [])] : [],
    };
  });
  return { ...kind, columns };
}

let all: readonly DescribedKind[] | undefined;

/** All kinds. Made when they are asked for first: schemas are walked for it. */
export function describedKinds(): readonly DescribedKind[] {
  if (all === undefined) {
    const found = schemas();
    const walked = new Map(
      Object.entries(found).map(([name, schema]) => [
        name,
        z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
      ]),
    );
    all = entityKinds.map((kind) => described(kind, walked.get(kind.bulk) ?? {}));
  }
  return all;
}

/** One of them. */
export function describedKind(name: EntityKind['name']): DescribedKind {
  const found = describedKinds().find((one) => one.name === name);
  if (found === undefined) throw new Error(`there are no columns of ${name}`);
  return found;
}

/** A kind as programs are told of it. */
export const presentKind = ({ name, title, rows, key, columns }: DescribedKind): ImportKind => ({
  name,
  title,
  groupedBy: rows === undefined ? null : key,
  columns: columns.map(({ alsoCalled: _alsoCalled, ...column }) => column),
});
