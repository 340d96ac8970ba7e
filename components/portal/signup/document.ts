import { timestamp, type Addresses } from '@steward/kernel';

/** The version of the document's shape, not of the product. */
export const bootstrapVersion = '2026-11-01';

/** As the contract advertises them. A brand answers 404 at `ucpBaseUrlTemplate` and `acpBaseUrlTemplate` until a person opens its doors. */
export const capabilities = [
  { name: 'commerce_storefront_sdk', mode: 'code-mode SDK and components', available: true },
  { name: 'cart_and_checkout_sessions', mode: 'no live charge required', available: true },
  { name: 'agentic_commerce_ucp_acp', mode: 'signed agentic requests', available: true },
  { name: 'accounting_back_office_mcp', mode: 'approval-gated writes', available: true },
  { name: 'live_payment_charges', mode: 'not required in phase 1', available: false },
] as const;

export interface BootstrapFacts {
  readonly tenant: string;
  readonly name: string;
  readonly tier: string;
  readonly status: string;
  /** Milliseconds since the epoch. */
  readonly trialEndsAt: number;
}

/** The document that turns an owner's token into a working tenant. Endpoints come from configuration. */
export function bootstrapDocument(facts: BootstrapFacts, addresses: Addresses): Record<string, unknown> {
  return {
    bootstrapVersion,
    organization: { id: facts.tenant, name: facts.name },
    tenant: { id: facts.tenant, contextHeader: 'X-Tenant-ID', headerValue: facts.tenant },
    billing: {
      tier: facts.tier,
      status: facts.status,
      trialEndsAt: timestamp(facts.trialEndsAt),
      liveChargesRequired: false,
    },
    endpoints: {
      portalApiBaseUrl: addresses.portal,
      accountingApiBaseUrl: addresses.accounting,
      commerceApiBaseUrl: addresses.commerce,
      studioApiBaseUrl: addresses.studio,
      mcpUrl: addresses.mcp,
      storefrontApiBaseUrl: addresses.storefront,
      ucpBaseUrlTemplate: `${addresses.commerce}/ucp/{brand_id}`,
      acpBaseUrlTemplate: `${addresses.commerce}/acp/{brand_id}`,
    },
    capabilities,
    sdkKeyCreation: { status: 'requires_site' },
    nextSteps: [
      `GET ${addresses.mcp}/manifest with the same token and X-Tenant-ID: ${facts.tenant} lists the tools that you may ` +
        'call.',
      `POST tools/list to ${addresses.mcp}, or to ${addresses.mcp}/t/${facts.tenant} where your client cannot set headers.`,
      `More tools of a part are at an address of their own: POST tools/list to ${addresses.mcp}/p/commerce for products, prices, stock, ` +
        'tax, shipping and discounts, and likewise /p/portal, /p/accounting, /p/studio and /p/crm.',
      'For shopping agents (UCP, ACP): service_create_signing_key, then service_configure_agentic_commerce, which a person approves; until then a brand ' +
        `answers 404 there. The tools are at ${addresses.mcp}/p/commerce/selling.`,
      'For a shop on a web page: service_create_site, service_issue_sdk_key, service_create_products, service_publish_products, ' +
        'service_create_location, service_adjust_stock, service_create_shipping_zone and service_create_shipping_option; then open ' +
        `${addresses.commerce}/example/shop?key=<the key>.`,
      'For a form on a web page: service_create_site, service_issue_sdk_key, service_create_form, service_publish_form.',
    ],
  };
}
