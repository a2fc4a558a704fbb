/** What was asked for cannot be done; the message is one sentence for the person who asked. Nothing was changed. */
export class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
}
