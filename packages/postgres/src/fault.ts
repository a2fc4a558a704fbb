/**
 * The embedded server cannot run here. `message` is one line that says why and what to do; what the server itself said
 * at length is in its log.
 */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault';
}
