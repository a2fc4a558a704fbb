import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

/** Where mail servers send back what they could not deliver: an address of its own for each mail that is sent. */
export interface BounceAddress {
  /** The envelope's sender of what a job mails: `bounces+<job>.<proof>@…`. */
  of(jobId: string): string;
  /** The job that such an address is of; undefined for any that is none of ours. */
  jobOf(address: string): string | undefined;
}

/** Bytes of the proof that we made an address: whoever knows another mail's number cannot say that it came back. */
const PROOF_BYTES = 10;

/** @param mailbox where bounces arrive, such as `bounces@bills.example`; its mail server takes what follows a plus sign */
export function bounceAddress(mailbox: string, secrets: Pick<Secrets, 'digest'>): BounceAddress {
  const [name = '', host = ''] = mailbox.split('@');
  const proofOf = (jobId: string) => secrets.digest(jobId, 'bounce').subarray(0, PROOF_BYTES);
  return {
    of: (jobId) => `${name}+${jobId}.${proofOf(jobId).toString('hex')}@${host}`,
    jobOf(address) {
      const [local = '', domain = ''] = address.toLowerCase().split('@');
      const ours = `${name.toLowerCase()}+`;
      if (domain !== host.toLowerCase() || !local.startsWith(ours)) return undefined;
      const [, jobId = '', proof = ''] = /^([\w-]+)\.([0-9a-f]+)$/.exec(local.slice(ours.length)) ?? [];
      const given = Buffer.from(proof, 'hex');
      return given.length === PROOF_BYTES && timingSafeEqual(given, proofOf(jobId)) ? jobId : undefined;
    },
  };
}
