import { quantityUnits } from '@counterfoil/domain/money/quantity.ts';
import * as z from 'zod/mini';
import { maybe, nextCursor, ownReference, pageLimit, said, textLine } from '../parts.ts';

/** What a provider's programs call about its services and the types of their records: `/v1/admin/services`. */

const label = (what: string) => said(maybe(textLine(60)), `${what} Null: the portal’s own word.`);

const exampleService = {
  name: 'Voice',
  serviceItemLabel: 'Number',
  serviceItem2Label: 'Called',
  serviceItem3Label: null,
  unitsLabel: 'Seconds',
  recordTypeLabel: 'Kind of call',
};

export const serviceParams = z.object({ service: said(textLine(100), 'The code of the service.') });
export const recordTypeParams = z.extend(serviceParams, {
  recordType: said(textLine(100), 'The code of the record type within its service.'),
});

/** Body of `PUT /v1/admin/services/by-reference/{service}`: all that is kept. */
export const serviceValues = z
  .strictObject({
    name: said(textLine(100), 'Its name.'),
    serviceItemLabel: label('What usage calls its service items.'),
    serviceItem2Label: label('What usage calls the second of them, such as the number called.'),
    serviceItem3Label: label('What usage calls the third.'),
    unitsLabel: label('What usage calls the units.'),
    recordTypeLabel: label('What usage calls the record types.'),
  })
  .check(z.meta({ examples: [exampleService] }));
export type ServiceValues = z.output<typeof serviceValues>;

/** A line of `POST /v1/admin/services/bulk`: a service by its code. */
export const bulkService = z.extend(serviceValues, { reference: serviceParams.shape.service });

/** A service as programs are told of it. */
export const adminService = z
  .object({
    id: said(z.uuid(), 'Its id here.'),
    reference: said(z.string(), 'Its code, which usage mappings name too.'),
    name: said(z.string(), 'Its name.'),
    serviceItemLabel: z.nullable(z.string()),
    serviceItem2Label: z.nullable(z.string()),
    serviceItem3Label: z.nullable(z.string()),
    unitsLabel: z.nullable(z.string()),
    recordTypeLabel: z.nullable(z.string()),
  })
  .check(
    z.meta({
      examples: [{ id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b31', reference: 'voice', ...exampleService }],
    }),
  );
export type AdminService = z.infer<typeof adminService>;

const exampleType = { description: 'Calls in the country', unit: 'second' as const };

/** Body of `PUT /v1/admin/services/by-reference/{service}/record-types/by-reference/{recordType}`. */
export const recordTypeValues = z
  .strictObject({
    description: said(textLine(200), 'What people read.'),
    unit: said(
      maybe(z.enum(quantityUnits)),
      'What the units of its records are; no number is changed by it. Null: not known, and plain numbers are shown.',
    ),
  })
  .check(z.meta({ examples: [exampleType] }));
export type RecordTypeValues = z.output<typeof recordTypeValues>;

/** A record type as programs are told of it. */
export const adminRecordType = z
  .object({
    id: said(z.uuid(), 'Its id here.'),
    reference: said(z.string(), 'Its code within the service.'),
    service: said(ownReference, 'The code of its service.'),
    description: said(z.string(), 'What people read.'),
    unit: said(z.nullable(z.enum(quantityUnits)), 'What the units of its records are.'),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b32',
          reference: 'national',
          service: 'voice',
          ...exampleType,
        },
      ],
    }),
  );
export type AdminRecordType = z.infer<typeof adminRecordType>;

export const codeQuery = z.object({
  limit: pageLimit,
  cursor: said(z.optional(textLine(100)), '`nextCursor` of the page before.'),
});
export const servicePage = z.object({ data: z.array(adminService), nextCursor });
export const recordTypePage = z.object({ data: z.array(adminRecordType), nextCursor });
