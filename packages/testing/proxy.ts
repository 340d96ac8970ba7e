import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** Stands between a client and PostgreSQL, and can be what networks are. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The same address through the proxy, over TCP. */
  through(url: string): string;
  /** From now on nothing passes, and nothing is closed: a black hole, for what is connected and for who connects. */
  stall(): void;
  resume(): void;
  /** Where connections go from now on; those there are stay where they are. */
  lead(url: string): void;
  /** Ends every connection. */
  cut(): void;
  /** The next commit, or what else the server ends with this tag, is carried out, and its answer is lost with its connection. */
  loseCommit(tag?: string): void;
  /** How many are open. */
  readonly connections: number;
  /** Of each open connection: the prepared statements that its session holds, as the protocol's messages tell. */
  readonly prepared: readonly number[];
}

/** Listens on a free port of 127.0.0.1 and passes on to the server of `url`, which may be a socket's. */
export async function createDatabaseProxy(url: string): Promise<DatabaseProxy> {
  let target = targetOf(url);
  let stalled = false;
  let losing: string | undefined;
  const links = new Map<Socket, { readonly server: Socket; readonly names: Set<string> }>();
  const listener = createServer((client) => {
    const server = connect(target);
    const read = statementReader();
    links.set(client, { server, names: read.names });
    client.on('data', (chunk) => read.data(Buffer.from(chunk)));
    server.on('data', (chunk) => {
      if (losing === undefined || !Buffer.from(chunk).includes(`${losing}\0`)) return;
      losing = undefined;
      client.destroy();
    });
    client.pipe(server).pipe(client);
    if (stalled) hold(client, server);
    const end = (): void => {
      links.delete(client);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('close', end).on('error', end);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    through: (address) => {
      const { protocol, username, password, pathname } = new URL(address);
      return `${protocol}//${username}:${password}@127.0.0.1:${port}${pathname}`;
    },
    stall: () => {
      stalled = true;
      for (const [client, { server }] of links) hold(client, server);
    },
    resume: () => {
      stalled = false;
      for (const [client, { server }] of links) client.pipe(server).pipe(client);
    },
    lead: (address) => {
      target = targetOf(address);
    },
    loseCommit: (tag = 'COMMIT') => {
      losing = tag;
    },
    cut: () => {
      for (const client of links.keys()) client.destroy();
    },
    get connections() {
      return links.size;
    },
    get prepared() {
      return [...links.values()].map(({ names }) => names.size);
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of links.keys()) client.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function hold(client: Socket, server: Socket): void {
  client.unpipe(server).pause();
  server.unpipe(client).pause();
}

function targetOf(url: string): NetConnectOpts {
  const { hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
}

/** Follows Parse (P) and Close (C) of named statements in what a client sends; the first message has no type. */
function statementReader(): { readonly names: Set<string>; data(chunk: Buffer): void } {
  const names = new Set<string>();
  let rest = Buffer.alloc(0);
  let begun = false;
  const text = (from: number): string => rest.toString('latin1', from, rest.indexOf(0, from));
  return {
    names,
    data: (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const typed = begun ? 1 : 0;
        if (rest.length < typed + 4) return;
        const length = typed + rest.readInt32BE(typed);
        if (rest.length < length) return;
        const type = begun ? String.fromCharCode(rest[0] ?? 0) : '';
        if (type === 'P' && text(5) !== '') names.add(text(5));
        if (type === 'C' && rest[5] === 0x53) names.delete(text(6));
        begun = true;
        rest = rest.subarray(length);
      }
    },
  };
}
