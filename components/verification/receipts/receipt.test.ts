import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { sample, serve } from '@steward/audit/testing';
import { writeKeyNote, verifierKey } from '@steward/archive/format';
import { createSealingWorld, generateKey, tamper } from '@steward/archive/testing';
import { checkReceipt } from './check.ts';

describe('receipts', () => {
  test('are signed where asked for, and can be checked with the published key alone', async () => {
    await using sealing = await createSealingWorld();
    const one = sealing.process();
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

  test('convict a chain that was rewritten, cut or removed, and are genuine only as they were given', async () => {
    await using sealing = await createSealingWorld();
    const { world } = sealing;
    const one = sealing.process();
    await using site = await serve(one, 'with GraphQL');
    const give = async (tenant: string): Promise<Record<string, unknown>> => {
      const headers = { prefer: 'receipt' };
      return (await site.call('/api/audit/events', { tenant, body: sample(), headers })).body;
    };
    const { ownerUrl } = world.database;
    const check = async (document: unknown, more: object = {}): Promise<readonly string[]> =>
      (await checkReceipt({ ownerUrl, document: JSON.stringify(document), ...more })).findings;
    const [whole, cut, gone, edited] = [await one.tenant(), await one.tenant(), await one.tenant(), await one.tenant()];
    const kept = await give(whole);
    assert.deepEqual(await check(kept), []);
    for (const name of Object.keys(kept)) {
      const value = kept[name];
      if (name === 'receipt' || value === undefined) continue;
      const other =
        name === 'sequence'
          ? 1
          : name === 'received_at'
            ? '2020-01-01T00:00:00.000Z'
            : typeof value === 'string'
              ? value.replace(/[0-9a-z](?=[^0-9a-z]*$)/, (last) =>
                  last === 'a' ? 'b' : last === '1' ? '2' : last === '7' ? '8' : /[0-9]/.test(last) ? '1' : 'a',
                )
              : Array.isArray(value)
                ? [...value, ...value]
                : {
                    ...(value as object),
                    ...('principal_id' in (value as object) ? { principal_id: 'mallory' } : { more: 'x' }),
                  };
      const faults = await check({ ...kept, [name]: other }).catch(() => ['it is no receipt']);
      assert.ok(faults.length > 0, `${name} may say ${JSON.stringify(other)}`);
    }
    // The document that is given for an event already written says the same.
    const signed = (await site.call(`/api/audit/events/${String(kept['id'])}/receipt`, { tenant: whole })).body;
    assert.deepEqual(await check(signed), []);
    const reworded = { ...signed, event: String(signed['event']).replace('1001', '1002') };
    assert.ok((await check(reworded)).length > 0);
    assert.ok((await check({ ...signed, tenant: cut })).length > 0);
    const query = `mutation ($input: IngestAuditEventInput!) { ingestAuditEvent(input: $input) {
      id sequence rowHash receivedAt receipt { format keyId signature } } }`;
    const input = {
      type: 'commerce.order.imported',
      eventVersion: '1.0.0',
      grammar: 'commerce',
      source: 'x',
      payload: { order_id: '1' },
      principalChain: [{ principalType: 'user', principalId: 'alice' }],
      occurredAt: '2026-03-01T10:00:00Z',
    };
    const graph = await site.call('/graphql', { tenant: whole, body: { query, variables: { input } } });
    const event = (graph.body['data'] as { ingestAuditEvent: unknown }).ingestAuditEvent;
    assert.deepEqual(await check(event, { tenant: whole }), []);
    await assert.rejects(check(event), /--tenant/);
    for (const [member, value] of Object.entries({
      sequence: 1,
      row_hash: 'ab'.repeat(32),
      received_at: '2026-03-01T10:00:00.000Z',
      id: whole,
      tenant_id: cut,
    }))
      assert.ok(
        (await check({ ...kept, [member]: value })).some((told) => /signature is false/.test(told)),
        member,
      );
    const { key: other } = generateKey();
    assert.match(String(await check(kept, { keys: [verifierKey(other.publicKey)] })), /no trusted key leads there/);
    const [first] = await one.archive.keys.registered();
    const retired = await one.archive.keys.signer();
    const { key } = await one.archive.rotateKey({ lost: false });
    assert.deepEqual(await check(await give(whole), { keys: [first?.verifierKey] }), []);

    // Retired long ago, by the note of the key that followed: what it signs of today is refused.
    const note = writeKeyNote(key, '2026-03-01', { key: retired, through: '2026-03-01' });
    const of = async (set: string) =>
      world.admin.withClient(async (client) => {
        await client.query('alter table audit.signing_key disable trigger all');
        const { rows } = await client.query<{ note: string }>('select note from audit.signing_key where number = 2');
        await client.query('update audit.signing_key set note = $1 where number = 2', [set]);
        await client.query('alter table audit.signing_key enable always trigger append_only');
        return rows[0]?.note ?? '';
      });
    const own = await of(note);
    assert.match(String(await check(kept)), /signs nothing of \d{4}-\d\d-\d\d: its time is .* to 2026-03-01/);
    await of(own);
    assert.deepEqual(await check(kept), []);

    const [receiptOfCut, receiptOfGone, receiptOfEdited] = [await give(cut), await give(gone), await give(edited)];
    await tamper(
      world.admin,
      `delete from audit.event where tenant_id = '${cut}' and sequence = 2`,
      `update audit.head set sequence = 1 where tenant_id = '${cut}'`,
      `delete from audit.event where tenant_id = '${gone}'`,
      `delete from audit.head where tenant_id = '${gone}'`,
      `update audit.event set event = replace(event, '1001', '1009') where tenant_id = '${edited}'`,
    );
    assert.deepEqual(await check(receiptOfCut), ['the row is not there: the chain ends at sequence 1']);
    assert.deepEqual(await check(receiptOfGone), ['the tenant has no chain: it was removed']);
    assert.deepEqual(await check(receiptOfEdited), ['the row hash is not that of the event that is stored']);
  });
});
