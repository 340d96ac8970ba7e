import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { World } from '@steward/conformance/world';
import { billingEvent, type BillingProviderStub } from '@steward/portal/testing';

/** A tenant that subscribed, has not paid, and had a payment taken back. */
export async function billed(world: World, provider: BillingProviderStub): Promise<void> {
  const { portal } = world.server.addresses;
  const by = await world.signUp('payer@example.com');
  const { status } = await world.call(`${portal}/api/billing/checkout`, { ...by, body: { tier: 'pro' } });
  assert.equal(status, 201);
  const customer = [...provider.objects.values()].find(({ object }) => object === 'customer')?.id ?? '';
  const subscription = provider.subscribe(customer, 'price_pro', { status: 'past_due' });
  for (const [type, object] of [
    ['charge.dispute.created', provider.dispute(customer)],
    ['invoice.payment_failed', provider.invoice(subscription.id, Math.floor(Date.now() / 1000))],
  ] as const) {
    const { payload: body, headers } = billingEvent(type, object);
    const answer = await fetch(`${portal}/webhooks/card_payments`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200, type);
  }
  const standing = async (): Promise<unknown> => (await world.call(`${portal}/api/billing`, by)).body['status'];
  while (String(await standing()) !== 'past_due') await setTimeout(20);
  const waiting = async (): Promise<boolean> =>
    JSON.stringify((await world.call(`${portal}/api/callbacks?status=waiting`, by)).body).includes('card_payments');
  while (await waiting()) await setTimeout(20);
}
