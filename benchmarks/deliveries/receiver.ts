import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver in a process of its own. It takes everything, and tells what came when.
let came: [id: string, at: number][] = [];
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    came.push([String(request.headers['webhook-id']), performance.timeOrigin + performance.now()]);
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => {
  process.send?.(came);
  came = [];
});
process.on('disconnect', () => process.exit());
