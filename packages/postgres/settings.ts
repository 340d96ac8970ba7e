/** The cluster's superuser. */
export const SUPERUSER = 'postgres';

/**
 * Written into postgresql.conf when the cluster is made, and the operator's from then on. What is not here keeps
 * PostgreSQL's default: fsync, full_page_writes and synchronous_commit on, scram-sha-256 for passwords.
 */
export const initialSettings: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  wal_level: 'replica',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // short statements gain nothing from it, and the packaged server has no compiler
  jit: 'off',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] %q%u@%d ',
};

export interface SocketEndpoint {
  readonly kind: 'socket';
  readonly folder: string;
}

export interface TcpEndpoint {
  readonly kind: 'tcp';
  readonly port: number;
}

export type Endpoint = SocketEndpoint | TcpEndpoint;

/** Names the socket's file; nothing listens on it. */
const SOCKET_PORT = 5432;

/** What holds at every start, whatever postgresql.conf says: where the server listens and where it logs. */
export function fixedSettings(endpoint: Endpoint): Record<string, string> {
  const socket = endpoint.kind === 'socket';
  return {
    listen_addresses: socket ? '' : '127.0.0.1',
    port: String(socket ? SOCKET_PORT : endpoint.port),
    // a comma separates folders here, unless quoted
    unix_socket_directories: socket ? `"${endpoint.folder.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
    cluster_name: 'steward',
  };
}

/**
 * The socket has fewer costs than TCP (1.2× the statements a second from one caller), is unreachable for other users,
 * and needs no free port; but its path must fit into the 104 bytes that a system's address structure has for it.
 */
export function socketFits(location: string): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(`${location}/.s.PGSQL.${SOCKET_PORT}`) < 104;
}

export function connectionUrl(endpoint: Endpoint, password: string): string {
  const host =
    endpoint.kind === 'socket' ? `${encodeURIComponent(endpoint.folder)}:${SOCKET_PORT}` : `127.0.0.1:${endpoint.port}`;
  return `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@${host}/postgres`;
}

/** As `-c name=value` arguments. */
export function asArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
