import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect } from '@steward/kernel';
import { routesOf } from './made.ts';
import { unopened } from './unopened.ts';

const { application } = unopened();
const tools = new Map(application.toolCatalogue.tools.map((tool) => [tool.name, tool]));
const routes = Object.values(routesOf(application.mountables)).flat();
const told = (does: Effect): string => (typeof does === 'string' ? does : `${does.tier} ${does.pillar}`);

test('each route names the tool whose work it does, but for these and what is for people', () => {
  const others = routes
    .filter(({ does }) => does !== 'for_people' && !tools.has(told(does)))
    .map(({ method, path, does }) => `${told(does)}: ${method} ${path}`);
  assert.deepEqual(others.toSorted(), [
    'for_anyone: DELETE /storefront/v1/carts/:cartId',
    'for_anyone: GET /acp/:brandId/.well-known/acp.json',
    'for_anyone: GET /acp/:brandId/carts/:id',
    'for_anyone: GET /acp/:brandId/checkout_sessions/:id',
    'for_anyone: GET /acp/:brandId/feeds/metadata.json',
    'for_anyone: GET /acp/:brandId/feeds/products.jsonl',
    'for_anyone: GET /acp/:brandId/orders/:id',
    'for_anyone: GET /acp/:brandId/payment-handlers/:handler/:document',
    'for_anyone: GET /agentic/:brandId/.well-known/api-catalog',
    'for_anyone: GET /agentic/:brandId/llms.txt',
    'for_anyone: GET /api/audit/keys',
    'for_anyone: GET /api/audit/verifier',
    'for_anyone: GET /api/search',
    'for_anyone: GET /media/:digest',
    'for_anyone: GET /storefront/v1/carts/:cartId',
    'for_anyone: GET /storefront/v1/checkouts/:checkoutId',
    'for_anyone: GET /storefront/v1/checkouts/:checkoutId/payment-secrets',
    'for_anyone: GET /storefront/v1/collections',
    'for_anyone: GET /storefront/v1/collections/:handle',
    'for_anyone: GET /storefront/v1/forms/:formId/schema',
    'for_anyone: GET /storefront/v1/orders/:orderId',
    'for_anyone: GET /storefront/v1/products',
    'for_anyone: GET /storefront/v1/products/:handle',
    'for_anyone: GET /ucp/:brandId/.well-known/agent-card.json',
    'for_anyone: GET /ucp/:brandId/.well-known/ucp',
    'for_anyone: GET /ucp/:brandId/.well-known/ucp/:version',
    'for_anyone: GET /ucp/:brandId/carts/:id',
    'for_anyone: GET /ucp/:brandId/checkout-sessions/:id',
    'for_anyone: GET /ucp/:brandId/orders/:id',
    'for_anyone: GET /webhooks/gateway_payments',
    'for_anyone: PATCH /storefront/v1/carts/:cartId/lines',
    'for_anyone: PATCH /storefront/v1/checkouts/:checkoutId',
    'for_anyone: POST /acp/:brandId/agentic_commerce/delegate_payment',
    'for_anyone: POST /acp/:brandId/carts',
    'for_anyone: POST /acp/:brandId/carts/:id/cancel',
    'for_anyone: POST /acp/:brandId/checkout_sessions',
    'for_anyone: POST /acp/:brandId/checkout_sessions/:id',
    'for_anyone: POST /acp/:brandId/checkout_sessions/:id/cancel',
    'for_anyone: POST /acp/:brandId/checkout_sessions/:id/complete',
    'for_anyone: POST /acp/:brandId/mcp',
    'for_anyone: POST /storefront/v1/carts',
    'for_anyone: POST /storefront/v1/carts/:cartId/lines',
    'for_anyone: POST /storefront/v1/checkouts',
    'for_anyone: POST /storefront/v1/checkouts/:checkoutId/cancel',
    'for_anyone: POST /storefront/v1/checkouts/:checkoutId/complete',
    'for_anyone: POST /storefront/v1/checkouts/:checkoutId/confirm',
    'for_anyone: POST /storefront/v1/forms/:formId/start',
    'for_anyone: POST /storefront/v1/forms/:formId/submit',
    'for_anyone: POST /ucp/:brandId/a2a',
    'for_anyone: POST /ucp/:brandId/carts',
    'for_anyone: POST /ucp/:brandId/carts/:id/cancel',
    'for_anyone: POST /ucp/:brandId/catalog/lookup',
    'for_anyone: POST /ucp/:brandId/catalog/product',
    'for_anyone: POST /ucp/:brandId/catalog/search',
    'for_anyone: POST /ucp/:brandId/checkout-sessions',
    'for_anyone: POST /ucp/:brandId/checkout-sessions/:id/cancel',
    'for_anyone: POST /ucp/:brandId/checkout-sessions/:id/complete',
    'for_anyone: POST /ucp/:brandId/mcp',
    'for_anyone: POST /webhooks/bank_feed',
    'for_anyone: POST /webhooks/card_payments',
    'for_anyone: POST /webhooks/card_payments',
    'for_anyone: POST /webhooks/card_payments',
    'for_anyone: POST /webhooks/gateway_payments',
    'for_anyone: POST /webhooks/marketplace',
    'for_anyone: POST /webhooks/tax_forms/1099',
    'for_anyone: POST /webhooks/wallet_payments',
    'for_anyone: PUT /acp/:brandId/carts/:id',
    'for_anyone: PUT /storefront/v1/carts/:cartId/codes',
    'for_anyone: PUT /ucp/:brandId/carts/:id',
    'for_anyone: PUT /ucp/:brandId/checkout-sessions/:id',
    'read accounting: GET /api/audit/activity',
    'read accounting: GET /api/audit/causality',
    'read accounting: GET /api/audit/chain',
    'read accounting: GET /api/audit/events',
    'read accounting: GET /api/audit/events/:id',
    'read accounting: GET /api/audit/events/:id/proof',
    'read accounting: GET /api/audit/events/:id/receipt',
    'read accounting: GET /api/audit/export',
    'read accounting: GET /api/audit/grammars',
    'read accounting: GET /api/audit/hold',
    'read portal: GET /api/approval-policy',
    'read portal: GET /api/standing-rules',
    'write accounting: POST /api/audit/events',
  ]);
});

test('what changes anything does not pass for reading', () => {
  const passing = routes
    .filter(({ method, does }) => method !== 'GET' && (tools.get(told(does))?.tier ?? told(does)).startsWith('read'))
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(passing, ['POST /api/contacts/search', 'POST /api/stock/levels']);
});

test('what reads does not pass for changing anything', () => {
  const passing = routes.filter(
    ({ method, does }) => method === 'GET' && (tools.get(told(does))?.tier ?? 'read') !== 'read',
  );
  assert.deepEqual(passing, []);
});

test('what was stopped, shut out or closed is begun again by a person alone', () => {
  // A form takes answers again, as publishing one does.
  const written = new Set(['service_restore_form']);
  const again = [...tools.values()].filter(({ name }) =>
    /^service_(?:readmit|reopen|restore|resume|trust|undo)_/.test(name),
  );
  assert.ok(again.length > 6);
  assert.deepEqual(
    again.flatMap(({ name, tier }) => (tier === 'approval' || written.has(name) ? [] : [name])),
    [],
  );
});

test('a tool that there is not, or that no agent can call, is no tool to stand for', () => {
  for (const effect of ['service_none', 'service_platform_status', { pillar: 'nowhere', tier: 'read' }] as const)
    assert.throws(() => application.authorizer.to(effect), TypeError);
});
