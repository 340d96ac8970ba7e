import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';

/** The least that Fastify can do: one route that sends these bytes. */
process.once('message', ({ text }: { text: string }) => {
  const app = fastify({ logger: false });
  app.get('/forms/:formId/schema', (_request, reply) => {
    void reply.type('application/json; charset=utf-8').send(text);
  });
  void app
    .listen({ host: '127.0.0.1', port: 0 })
    .then(() => process.send?.({ port: (app.server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
