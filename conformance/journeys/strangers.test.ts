import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '../world/index.ts';

const outsider = 'outsider@evil.example';

describe('submissions go to strangers', () => {
  let world: World;
  let tenant: string;
  let agent: string;
  let approver: string;
  let siteId: string;
  const user = 'owner@example.com';
  const rest = async (
    at: 'portal' | 'studio',
    token: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> =>
    world.call(`${world.server.addresses[at]}/api${path}`, {
      token,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const call = async (name: string, args: object): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const answer = await world.call(`${world.server.addresses.mcp}/p/studio`, { token: agent, tenant, body });
    return answer.body['result']?.['structuredContent'] ?? answer.body;
  };
  const outcome = (told: Json): string => String(told['error_code'] ?? told['status']);
  const form = async (...emails: string[]): Promise<string> => {
    const made = await call('service_create_form', {
      site_id: siteId,
      name: 'Contact',
      fields: [{ name: 'note', label: 'Note', type: 'text' }],
      notification_emails: emails,
    });
    return String(made['data']?.['form']?.['id']);
  };
  const publish = async (id: string, more: object = {}): Promise<Json> =>
    call('service_publish_form', { form_id: id, ...more });
  const served = async (id: string): Promise<string> =>
    String((await rest('studio', approver, 'GET', `/forms/${id}`)).body['activeVersion']);
  const approve = async (asked: Json): Promise<Json> => {
    const path = `/pending-actions/${String(asked['pending_action_id'])}`;
    const shown = (await rest('portal', approver, 'GET', path)).body;
    const { previewHash } = shown;
    const done = await rest('portal', approver, 'POST', `${path}/approve`, { previewHash });
    assert.equal(String(done.body['state']), 'executed', JSON.stringify(done.body));
    return shown;
  };

  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp(user));
    agent = await world.token({ user, agent: 'assistant-1' });
    approver = await world.token({ user, approver: true });
    siteId = String((await call('service_create_site', { name: 'Shop' }))['data']?.['site']?.['id']);
  });
  after(async () => world[Symbol.asyncDispose]());

  test('only once a person has approved it, whose preview names them: an agent published them, and visitors’ words left', async () => {
    const id = await form(user, outsider);
    const asked = await publish(id);
    assert.equal(outcome(asked), 'pending_approval', JSON.stringify(asked));
    assert.equal(await served(id), 'null', 'nothing is served before');
    const shown = await approve(asked);
    assert.match(String(shown['summary']), /outsider@evil\.example/);
    assert.deepEqual(shown['preview']?.['strangers'], [outsider]);
    assert.equal(await served(id), '1');
    await call('service_update_form', { form_id: id, name: 'Write to us' });
    assert.equal(outcome(await publish(id)), 'ok', 'what visitors see names them already');
  });

  test('no sooner by an older version that a person took away, nor where an agent hides the form in between', async () => {
    const id = await form(outsider);
    await approve(await publish(id));
    await rest('studio', approver, 'PATCH', `/forms/${id}`, { notificationEmails: [] });
    assert.equal((await rest('studio', approver, 'POST', `/forms/${id}/publish`, {})).status, 200);
    assert.equal(outcome(await publish(id, { version: 1 })), 'pending_approval');
    await call('service_archive_form', { form_id: id });
    await call('service_restore_form', { form_id: id });
    assert.equal(outcome(await publish(id, { version: 1 })), 'pending_approval');
    assert.equal(outcome(await publish(id, { version: 2 })), 'ok');
  });

  test('no sooner by asking them to confirm, as long as no served version names them', async () => {
    const id = await form(user);
    assert.equal(outcome(await publish(id)), 'ok', 'to members at once');
    await call('service_update_form', { form_id: id, notification_emails: [outsider] });
    const asked = await call('service_retry_form_recipient', { form_id: id, address: outsider });
    assert.equal(outcome(asked), 'pending_approval', JSON.stringify(asked));
    await approve(await publish(id));
    assert.equal(outcome(await call('service_retry_form_recipient', { form_id: id, address: outsider })), 'ok');
  });

  test('and to whoever is a member no more no sooner than somebody who may has them asked, and they confirm', async () => {
    const email = 'carl@example.com';
    const invited = (await rest('portal', approver, 'POST', '/invitations', { email, role: 'admin' })).body;
    const carl = await world.token({ user: email });
    const joined = await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
      token: carl,
      body: { secret: invited['secret'] },
    });
    assert.equal(joined.status, 200, JSON.stringify(joined.body));
    const id = await form(email);
    assert.equal(outcome(await publish(id)), 'ok');
    const standing = async (): Promise<unknown[]> => {
      const { items } = (await rest('studio', approver, 'GET', `/forms/${id}/recipients`)).body;
      return (items as unknown as Json[]).map((one) => [String(one['standing']), one['told'], one['left']].join(' '));
    };
    assert.deepEqual(await standing(), ['member true false']);
    const members = (await rest('portal', approver, 'GET', '/members')).body['items'] as unknown as Json[];
    const who = members.find((one) => String(one['email']) === email);
    const removed = await rest('portal', approver, 'DELETE', `/members/user/${String(who?.['principalId'])}`);
    assert.equal(removed.status, 200, JSON.stringify(removed.body));
    assert.deepEqual(await standing(), ['unconfirmed false true'], 'from the next submission on');
    assert.equal(
      outcome(await call('service_retry_form_recipient', { form_id: id, address: email })),
      'pending_approval',
    );
    const again = await rest('studio', approver, 'POST', `/forms/${id}/recipients/retry`, { address: email });
    assert.equal(again.status, 200, JSON.stringify(again.body));
    assert.deepEqual(await standing(), ['unconfirmed false true'], 'they did not confirm yet');
  });

  test('at once where a person publishes them, and through no other door of an agent', async () => {
    const id = await form(outsider);
    const refused = await rest('studio', agent, 'POST', `/forms/${id}/publish`, {});
    assert.deepEqual([refused.status, String(refused.body['code'])], [403, 'approval_required']);
    assert.equal(String(refused.body['tool']), 'service_publish_form');
    assert.equal(await served(id), 'null');
    const plain = await world.token({ user });
    assert.equal((await rest('studio', plain, 'POST', `/forms/${id}/publish`, {})).status, 200);
  });
});
