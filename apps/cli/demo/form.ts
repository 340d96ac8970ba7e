import { setTimeout as sleep } from 'node:timers/promises';
import type { Addresses } from '@steward/kernel';
import { send, type Json, type Reply, type Request } from './client.ts';

interface Journey {
  readonly addresses: Addresses;
  /** Of a member, with the tenant. */
  readonly inTenant: Record<string, string>;
  step(what: string): void;
  ask(request: Request, show: (reply: Reply) => unknown): Promise<Reply>;
  /** The `data` of a tool's answer. */
  call(tool: string, args: object): Promise<Json>;
}

/** From nothing to a form on a page, and what one submission leaves behind. */
export async function formJourney({ addresses, inTenant, step, ask, call }: Journey): Promise<void> {
  step('A form on any page: a site, a key, a form, published');
  const { site } = await call('service_create_site', { name: 'Shop', origins: [new URL(addresses.commerce).origin] });
  const { sdk_key: issued } = await call('service_issue_sdk_key', { site_id: site?.['id'], mode: 'test' });
  const { form } = await call('service_create_form', {
    site_id: site?.['id'],
    name: 'Contact us',
    target_entity_type: 'crm_contact',
    fields: [
      { name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
      { name: 'message', label: 'Message', type: 'textarea', required: true },
    ],
  });
  const published = await call('service_publish_form', { form_id: form?.['id'] });

  step('A page reads it and submits it, with the key alone');
  const page = { 'x-service-sdk-key': String(issued?.['key']) };
  await ask({ url: String(published['schema_url']), headers: page }, ({ body }) => body);
  const submitted = await ask(
    {
      url: String(published['submit_url']),
      headers: page,
      body: { data: { email: 'zoe@example.com', message: 'Is the blue one still there?' } },
    },
    ({ body }) => body,
  );

  step('Who it was, and the submission in the studio, where its event brought it');
  await call('service_get_contact', { contact_id: submitted.body['contactId'] });
  const list = { url: `${addresses.studio}/api/forms/${String(form?.['id'])}/submissions`, headers: inTenant };
  while (((await send(list)).body['items'] as unknown as unknown[]).length === 0) await sleep(50);
  await ask(list, ({ body }) => body['items']);
}
