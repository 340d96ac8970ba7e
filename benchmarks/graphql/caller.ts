import { connect } from 'node:net';

/**
 * A connection that sends the same request again and again, as cheaply as can be: a caller that costs as much as the
 * server would leave the server waiting, and then it is the waking that is measured.
 */
export async function call(
  port: number,
  request: Buffer,
  going: () => boolean,
): Promise<{ answered: number; last: string }> {
  return new Promise((resolve, reject) => {
    let [answered, received, last] = [0, '', ''];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('data', (part: string) => {
      received += part;
      if (!complete(received)) return;
      answered += 1;
      if (going()) {
        received = '';
        socket.write(request);
      } else {
        last = received;
        socket.destroy();
      }
    });
    socket.on('close', () => resolve({ answered, last }));
  });
}

export function postOf(path: string, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'Accept: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The whole answer, whether its length was told or it came in chunks. */
function complete(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(received.slice(0, end))?.[1];
  return length === undefined ? received.endsWith('\r\n0\r\n\r\n') : received.length >= end + 4 + Number(length);
}
