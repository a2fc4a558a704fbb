import { safeRedirect } from '@counterfoil/domain/paying/redirect.ts';
import type { Tx } from '../../../db/database.ts';
import { requireActiveUser } from '../../../features/admin/users.ts';
import { brandOfUser } from '../../../features/auth/user-brand.ts';
import { findCustomerBrand } from '../../../features/brand/queries.ts';
import { type Brand, brandFromRow, brandUrl } from '../../../features/brand/service.ts';
import { isMember } from '../../../features/login-as/queries.ts';
import { makeLoginCode } from '../../../features/login-as/service.ts';
import { customerOption, needed, noWords } from '../../arguments/arguments.ts';
import { type Command, CommandError, UsageError } from '../../command.ts';
import { customerNamed } from '../../customer-named.ts';
import { commandActor, recordCommand } from '../../record-command.ts';
import { inTransactionWithLinks } from '../../with-runtime.ts';

const LONGEST = { actor: 200, reason: 500 } as const;

/** `counterfoil login-code`: lets support see the portal as a user does. */
export const loginCodeCommand: Command = {
  usage: '--user <address> --reason <text> [--customer <id or ref>] [--actor <name>] [--redirect <path>]',
  details: [
    'With --customer it shows that customer first, else the user’s first.',
    'The session lasts eight hours at most. The portal says all the time who is looking; sign-in, code and every change',
    'stand in the audit trail with both names, and the user sees the session in the list of theirs. Passwords and other',
    'ways of signing in cannot be changed with it. The link is shown here only: open it in a window of its own.',
  ],
  options: {
    user: { type: 'string', value: '<address>', help: 'the user to sign in as' },
    reason: { type: 'string', help: 'why, for the audit trail: a ticket, say' },
    ...customerOption,
    actor: { type: 'string', value: '<name>', help: 'who will use it (whoever runs this)' },
    redirect: { type: 'string', value: '<path>', help: 'the page to come to, e.g. /invoices' },
  },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'user');
    const reason = bounded('reason', needed(invocation, 'reason'));
    const actor = bounded('actor', invocation.text('actor') ?? commandActor());
    const customer = invocation.text('customer');
    const redirect = invocation.text('redirect');
    const made = await inTransactionWithLinks(async (tx, { clock, config }) => {
      const user = await requireActiveUser(tx, email);
      const customerId =
        customer === undefined ? undefined : await customerNamed(tx, customer, user.reseller_id);
      if (customerId !== undefined && !(await isMember(tx, user.id, customerId))) {
        throw new CommandError(`${user.email} does not belong to customer ${customerId}`);
      }
      const brand = await brandSeen(tx, user, customerId);
      const page = (path: string) => new URL(brandUrl(brand, config.publicUrl, path));
      if (redirect !== undefined) refuseUnsafe(redirect, page('/').origin, brand);
      const { code, expiresAt } = await makeLoginCode(
        tx,
        { userId: user.id, customerId, actor, reason },
        clock.now(),
      );
      await recordCommand(tx, clock.now(), {
        action: 'loginCode.made',
        userId: user.id,
        userEmail: user.email,
        resellerId: user.reseller_id,
        customerId,
        detail: { for: actor, reason },
      });
      const url = page(`/la/${code}`);
      if (customerId !== undefined) url.searchParams.set('c', customerId);
      if (redirect !== undefined) url.searchParams.set('r', redirect);
      return { url: url.href, expiresAt: expiresAt.toISOString(), user: user.email, actor };
    });
    invocation.print(made, [
      `${made.actor} may sign in as ${made.user} once, until ${made.expiresAt}:`,
      made.url,
    ]);
    return 0;
  },
};

/** The brand whose host shows what the user would see. */
async function brandSeen(
  tx: Tx,
  user: { readonly id: string; readonly reseller_id: number },
  customerId: string | undefined,
): Promise<Brand> {
  if (customerId === undefined) return brandOfUser(tx, user);
  return brandFromRow(await findCustomerBrand(tx, customerId, user.reseller_id));
}

function bounded(name: keyof typeof LONGEST, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LONGEST[name] || /\p{Cc}/u.test(trimmed)) {
    throw new UsageError(`--${name} takes 1 to ${LONGEST[name]} characters on one line`);
  }
  return trimmed;
}

/** What the portal would not follow is said here, not found out by whoever opens the link. */
function refuseUnsafe(redirect: string, origin: string, brand: Brand): void {
  if (redirect !== '/' && safeRedirect(redirect, origin, brand.settings.allowedOrigins) === '/') {
    throw new CommandError(
      `--redirect leads neither to a page of ${origin} nor to an origin the brand lists`,
    );
  }
}
