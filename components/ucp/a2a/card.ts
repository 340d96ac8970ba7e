import { capabilitiesOf, type Version } from '../negotiation/versions.ts';

export const cardPath = '/.well-known/agent-card.json';

/** What the binding calls itself in a release of the protocol. */
export const extensionOf = (version: string): string => `https://ucp.dev/${version}/specification/reference`;

const json = 'application/json';

/** What the shop says of itself to agents of the Agent2Agent protocol (A2A 0.3 §5.5), which those of A2A 1.0 read as well. */
export const cardOf = (name: string, at: string, releases: readonly Version[]): object => ({
  protocolVersion: '0.3.0',
  name,
  description: `${name} sells to agents: it answers structured data by the Universal Commerce Protocol, and reads no prose.`,
  url: `${at}/a2a`,
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [{ url: `${at}/a2a`, transport: 'JSONRPC' }],
  supportedInterfaces: [{ url: `${at}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version: '1',
  capabilities: {
    streaming: false,
    pushNotifications: false,
    stateTransitionHistory: false,
    extensions: releases.map((version) => ({
      uri: extensionOf(version),
      description: `Universal Commerce Protocol, release ${version}`,
      required: false,
      params: {
        capabilities: Object.fromEntries(
          capabilitiesOf(version).map(({ name, extends: parents }) => [
            name,
            [{ version, ...(parents.length === 0 ? {} : { extends: parents.length === 1 ? parents[0] : parents }) }],
          ]),
        ),
      },
    })),
  },
  defaultInputModes: [json],
  defaultOutputModes: [json],
  supportsAuthenticatedExtendedCard: false,
  skills: [
    {
      id: 'catalog',
      name: 'Find products',
      description: 'Searches the catalogue, looks items up, shows one product with its options.',
      tags: ['shopping', 'catalog'],
      examples: ['{"action": "search_catalog", "catalog": {"query": "cup"}}'],
    },
    {
      id: 'checkout',
      name: 'Buy',
      description: 'Puts items into a checkout, takes buyer, address, way of shipping and codes, and completes it.',
      tags: ['shopping', 'checkout'],
      examples: ['{"action": "add_to_checkout", "product_id": "…", "quantity": 1}'],
    },
    {
      id: 'order',
      name: 'Show an order',
      description: 'What became of an order that the agent placed.',
      tags: ['shopping', 'order'],
      examples: ['{"action": "get_order", "id": "…"}'],
    },
  ],
});
