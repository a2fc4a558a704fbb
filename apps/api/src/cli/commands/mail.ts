import { isMailKind, MAIL_PLACEHOLDERS, type MailKind } from '@counterfoil/contract/mail-texts.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { listBrands } from '../../features/admin/brands.ts';
import { checkedEmail } from '../../features/admin/checks.ts';
import { findBrand } from '../../features/brand/queries.ts';
import { brandFromRow } from '../../features/brand/service.ts';
import { bounceAddress } from '../../mail/bounce-address.ts';
import { noteBounce, readBounce } from '../../mail/bounces.ts';
import { createMailer, MailFailed } from '../../mail/mailer.ts';
import { sampleMails } from '../../mail/samples.ts';
import type { Runtime } from '../../runtime.ts';
import { needed, noWords, optionalNumber } from '../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, UsageError } from '../command.ts';
import { inTransaction, withLinks } from '../with-runtime.ts';

const KINDS = Object.keys(MAIL_PLACEHOLDERS).filter(isMailKind);

const test: Command = {
  usage: '--to <address> [--brand <id>] [--kind <kind>] …',
  details: [`Kinds: ${KINDS.join(', ')}.`, 'Without SMTP_URL the mails are written to DATA_DIR/outbox.'],
  options: {
    to: { type: 'string', value: '<address>', help: 'who gets them' },
    brand: { type: 'string', value: '<id>', help: 'in whose name (the first brand)' },
    kind: {
      type: 'string',
      value: '<kind>',
      multiple: true,
      help: 'only this one; may be given several times',
    },
  },
  async run(invocation) {
    noWords(invocation);
    const to = checkedEmail(needed(invocation, 'to'));
    const kinds = kindsOf(invocation);
    const brandId = optionalNumber(invocation, 'brand');
    const sent = await withLinks(async (runtime) => {
      const brand = await brandOf(runtime, brandId);
      const { mailFrom, publicUrl } = runtime.config;
      const now = runtime.clock.now();
      const samples = sampleMails({ brand, to, now, id: newId(now.getTime()), mailFrom, publicUrl });
      const mailer = createMailer(runtime.config);
      const outcomes: { kind: MailKind; subject: string; refused?: string }[] = [];
      for (const kind of kinds) {
        const { subject } = samples[kind];
        const refused = await mailer.send(samples[kind]).then(() => undefined, reasonOf);
        outcomes.push(refused === undefined ? { kind, subject } : { kind, subject, refused });
      }
      return { brand: brand.id, outcomes };
    });
    invocation.print(
      { to, brand: sent.brand, mails: sent.outcomes },
      sent.outcomes.map(({ kind, subject, refused }) => `${kind}: ${refused ?? `sent, '${subject}'`}`),
    );
    return sent.outcomes.some(({ refused }) => refused !== undefined) ? 1 : 0;
  },
};

function kindsOf(invocation: Invocation): readonly MailKind[] {
  const given = invocation.texts('kind');
  const wrong = given.find((kind) => !isMailKind(kind));
  if (wrong !== undefined) throw new UsageError(`--kind takes ${KINDS.join(', ')}, not '${wrong}'`);
  return given.length === 0 ? KINDS : given.filter(isMailKind);
}

async function brandOf({ databases }: Runtime, id: number | undefined) {
  const first = async () => (await listBrands(databases.web))[0]?.id ?? 0;
  const row = await findBrand(databases.web, id ?? (await first()));
  if (row === undefined) throw new CommandError(`there is no brand ${id}`);
  return brandFromRow(row);
}

function reasonOf(error: unknown): string {
  if (error instanceof MailFailed) return error.message;
  throw error;
}

/** A message is no longer; what is beyond was in the mail that came back. */
const MOST_BYTES = 1024 * 1024;

const bounce: Command = {
  usage: '[--recipient <address>] < message',
  details: [
    'Reads one message from standard input, as a mail server hands it to a program. What says that a mail will not be delivered',
    'is noted with the mail; anything else is left alone. MAIL_BOUNCES has to be set as it is for the server.',
  ],
  options: {
    recipient: { type: 'string', value: '<address>', help: 'whom the message was delivered to (its To)' },
  },
  async run(invocation) {
    noWords(invocation);
    const raw = await readAtMost(process.stdin, MOST_BYTES);
    const outcome = await inTransaction(async (tx, { config, secrets, clock }) => {
      if (config.mailBounces === undefined)
        throw new CommandError('MAIL_BOUNCES is not set: no mail comes back to an address of ours');
      const address = bounceAddress(config.mailBounces, secrets);
      const found = await readBounce(raw, address, invocation.text('recipient'));
      if (found.is !== 'bounce') return found.is;
      return (await noteBounce(tx, found, clock.now())) ? 'noted' : 'known';
    });
    invocation.print({ outcome }, [BOUNCE_LINES[outcome]]);
    return 0;
  },
};

const BOUNCE_LINES = {
  noted: 'The mail is noted as come back.',
  known: 'Nothing to note: the mail is not kept any more, was sent again, or is noted as come back.',
  other: 'Nothing to note: the message is no report that a mail cannot be delivered.',
  stranger: 'Nothing to note: the message is not to an address that a mail of ours came from.',
} as const;

async function readAtMost(input: NodeJS.ReadableStream, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

export const actions = { bounce, test };
