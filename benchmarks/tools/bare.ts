import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { contend } from './contestant.ts';

/** The least that a JSON-RPC server over node:http can do: read, parse, write the answer that was ready before. */
contend(({ answers }) => {
  const ready = new Map([
    ['tools/list', Buffer.from(answers?.list ?? '')],
    ['tools/call', Buffer.from(answers?.call ?? '')],
  ]);
  return createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string };
      const body = ready.get(method) ?? Buffer.alloc(0);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
});
