import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';

/** The least that Fastify can do: a route that sends these bytes, with these fields or with as few as there can be. */
process.once('message', ({ text, fields }: { text: string; fields: Record<string, string> }) => {
  const app = fastify({ logger: false });
  app.get('/forms/:formId/schema', (_request, reply) => {
    void reply.headers(fields).send(text);
  });
  app.get('/forms/:formId/body', (_request, reply) => {
    void reply.type('application/json; charset=utf-8').send(text);
  });
  void app
    .listen({ host: '127.0.0.1', port: 0 })
    .then(() => process.send?.({ port: (app.server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
