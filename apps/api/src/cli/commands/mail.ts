import { isMailKind, MAIL_PLACEHOLDERS, type MailKind } from '@counterfoil/contract/mail-texts.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { listBrands } from '../../features/admin/brands.ts';
import { checkedEmail } from '../../features/admin/checks.ts';
import { findBrand } from '../../features/brand/queries.ts';
import { brandFromRow } from '../../features/brand/service.ts';
import { createMailer, MailFailed } from '../../mail/mailer.ts';
import { sampleMails } from '../../mail/samples.ts';
import type { Runtime } from '../../runtime.ts';
import { needed, noWords, optionalNumber } from '../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, UsageError } from '../command.ts';
import { withLinks } from '../with-runtime.ts';

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

export const actions = { test };
