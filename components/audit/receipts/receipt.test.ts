import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { serve } from '../fixtures/serve.ts';
import { createWorld, sample } from '../fixtures/world.ts';

describe('receipts', () => {
  test('are signed where asked for, and can be checked with the published key alone', async () => {
    await using world = await createWorld();
    const one = world.process();
    await using site = await serve(one);
    const tenant = await one.tenant();
    const plain = await site.call('/api/audit/events', { tenant, body: sample() });
    assert.equal(plain.body['receipt'], undefined);
    for (const prefer of ['receipt', 'respond-async, Receipt']) {
      const { headers, body } = await site.call('/api/audit/events', {
        tenant,
        body: sample({ idempotency_key: 'asked-for-twice' }),
        headers: { prefer },
      });
      assert.equal(headers.get('preference-applied'), 'receipt');
      const { format, key_id, signature } = body['receipt'] as Record<string, string>;
      const keys = (await site.call('/api/audit/keys', { tenant })).body['items'] as Record<string, string>[];
      const x = keys.find((key) => key['key_id'] === key_id)?.['public_key'] ?? '';
      const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
      const signed = `${format}\n{"id":"${String(body['id'])}","receivedAt":"${String(body['received_at'])}","rowHash":"${String(body['row_hash'])}","sequence":${String(body['sequence'])},"tenantId":"${tenant}"}`;
      const sound = (text: string): boolean =>
        verify(null, Buffer.from(text), publicKey, Buffer.from(signature ?? '', 'base64url'));
      assert.ok(sound(signed));
      assert.ok(!sound(signed.replace(tenant, tenant.toUpperCase())));
    }
  });
});
