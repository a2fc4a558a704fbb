/** What a person has chosen about mails of invoices; undefined while they have chosen nothing. */
export function choiceOf(stored: Readonly<Record<string, unknown>>): boolean | undefined {
  const { mails } = stored;
  if (typeof mails !== 'object' || mails === null || !('invoices' in mails)) return undefined;
  return typeof mails.invoices === 'boolean' ? mails.invoices : undefined;
}
