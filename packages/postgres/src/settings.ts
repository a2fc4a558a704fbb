/** How the server is set up; everything else stays as PostgreSQL has it. */
export function serverSettings(options: {
  readonly port: number;
  readonly socket: string | undefined;
  readonly durable: boolean;
}): string[] {
  const settings = {
    port: options.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: quoted(options.socket ?? ''),
    unix_socket_permissions: '0700',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    max_wal_size: '2GB',
    // How much a new customer has is known to the planner soon after the import that brought it.
    autovacuum_naptime: '15s',
    // Statements and values hold personal data: the log says what failed, never on which row.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] ',
    // A query whose client is gone is work for nobody.
    client_connection_check_interval: '10s',
    // After a crash of one of its processes it ends, and its keeper starts it. When it recovers by itself and the disk of the
    // journal is full, it may be left without the process that recovers, and never accept a connection (seen with 18.4).
    restart_after_crash: 'off',
    ...(options.durable ? durable : fast),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** One entry of a list of directories, whatever its name has in it. */
const quoted = (directory: string): string =>
  directory === '' ? '' : `"${directory.replaceAll('"', '""')}"`;

/** What is acknowledged survives power loss. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** For tests: the data is thrown away with the run. */
const fast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  io_method: 'sync',
};
