import { createPublicKey, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';

/** The least that a signed lookup can cost: the body is read, one signature is verified, and these bytes are sent with these fields. */
process.once(
  'message',
  (given: { text: string; fields: Record<string, string>; jwk: JsonWebKey; base: string; signature: string }) => {
    const key = createPublicKey({ key: given.jwk as never, format: 'jwk' });
    const base = Buffer.from(given.base);
    const signature = Buffer.from(given.signature, 'base64');
    const app = fastify({ logger: false });
    app.post('/', (_request, reply) => {
      if (!verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, signature)) throw new Error('it was signed');
      void reply.headers(given.fields).send(given.text);
    });
    void app
      .listen({ host: '127.0.0.1', port: 0 })
      .then(() => process.send?.({ port: (app.server.address() as AddressInfo).port }));
  },
);
process.on('disconnect', () => process.exit());
