import type { ConfirmationRequest } from '@counterfoil/contract/paying/public-pay.ts';

/**
 * What the provider's redirect brought back (specification, payments §2): `req_uid` is the session of ours, the
 * other names are the provider's. Undefined when the page was simply opened.
 */
export function returnedFrom(search: string): ConfirmationRequest | undefined {
  const query = new URLSearchParams(search);
  const [paymentIntent, secret, sourceType, reqUid] = [
    query.get('payment_intent'),
    query.get('payment_intent_client_secret'),
    query.get('source_type'),
    query.get('req_uid'),
  ];
  if (!paymentIntent && !secret && !sourceType && !reqUid) return undefined;
  return {
    reqUid: reqUid ?? '',
    ...(paymentIntent && { paymentIntent }),
    ...(secret && { paymentIntentClientSecret: secret }),
    ...(sourceType && { sourceType }),
  };
}

/** What of the address stays: a reload asks again by our own session, and nothing of the provider's is kept. */
export const keptSearch = ({ reqUid }: ConfirmationRequest): string =>
  reqUid === '' ? '' : `?${new URLSearchParams({ req_uid: reqUid }).toString()}`;
