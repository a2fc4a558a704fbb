/**
 * The world around the program is not as it must be: a setting, a folder, a port, the database. `message` is one line
 * that names the thing and its setting, and says what to do.
 */
export class WorldFault extends Error {
  override readonly name = 'WorldFault';
}
