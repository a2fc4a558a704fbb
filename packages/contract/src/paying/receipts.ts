import * as z from 'zod/mini';

/** `GET /v1/ec/payments/{id}/receipt`: the id of the attempt, or the `receiptOf` of a statement's entry. */
export const paymentParams = z.object({ id: z.uuid() });
