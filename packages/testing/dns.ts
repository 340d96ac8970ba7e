import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface DnsServer extends AsyncDisposable {
  /** As a resolver is told of it. */
  readonly address: string;
  /** By names in lower case, what stands there in text. A name that is not there does not exist. */
  readonly texts: Map<string, readonly string[]>;
  readonly asked: string[];
  /** Nobody is answered any more. */
  silent: boolean;
  /** Nobody is answered about this name. */
  silentAt: string | undefined;
}

/** A server of DNS on this machine that knows records of text alone. */
export async function startDns(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server: DnsServer = {
    address: '',
    texts: new Map(),
    asked: [],
    silent: false,
    silentAt: undefined,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (message, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    server.asked.push(name);
    if (server.silent || server.silentAt === name) return;
    const known = server.texts.get(name);
    const answers = (known ?? []).map(recordOf);
    const head = Buffer.from(message.subarray(0, 12));
    // A response, with recursion; code 3: there is no such name.
    head.writeUInt16BE(0x81_80 | (known === undefined ? 3 : 0), 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    socket.send(Buffer.concat([head, message.subarray(12, at + 5), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` });
}

/** A record of type TXT, at the name that was asked for: strings of up to 255 bytes. */
function recordOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(16, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
