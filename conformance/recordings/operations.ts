import { pillars } from '@steward/access';
import { leastOf } from '@steward/conformance/world';
import type { Shape } from '../stall/hostile.ts';
import { graphOperations, restOperations, toolNames } from '../stall/operations.ts';
import { toldOf, type Told } from './told.ts';
import type { Caller, Setting } from './setting.ts';
import type { Heard, Sent } from './wire.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** Something that can be asked for, by one door. */
export interface Operation {
  readonly name: string;
  readonly door: 'route' | 'tool' | 'field' | 'page';
  /** Of everything that it takes, wherever in a request each of it stands. */
  readonly shape: Shape;
  /** The least that it takes, about things that are not there. */
  readonly least: Arguments;
  sent(args: Arguments, by: Caller): Sent;
  told(heard: Heard): Told;
}

const json = { 'content-type': 'application/json' };
export const nowhere = '0190a0a0-0000-7000-8000-00000000000a';

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const entryLines = [
  { account: '1000', debit: '1.00' },
  { account: '4000', credit: '1.00' },
];

/** What a shape says too little of for its verb to be reached, and what shall change nothing that decides who may do what. */
const given: Readonly<Record<string, Arguments>> = {
  'POST /portal/api/external-agent/signup': { organizationName: undefined },
  'PATCH /portal/api/members/{principalType}/{principalId}': { principalType: 'user', role: 'viewer' },
  'DELETE /portal/api/members/{principalType}/{principalId}': { principalType: 'user' },
  'PUT /portal/api/tool-policy': { deniedTools: [] },
  'POST /portal/api/pending-actions': { tool: 'service_remove_member', arguments: { member: 'nobody@example.com' } },
  'POST /portal/api/pending-actions/{id}/approve': { previewHash: 'A'.repeat(43) },
  'POST /portal/api/pending-actions/{id}/edit': { previewHash: 'A'.repeat(43) },
  'POST /portal/api/pending-actions/approve': { actions: [{ id: nowhere, previewHash: 'A'.repeat(43) }] },
  'POST /accounting/api/audit/events': {
    type: 'crm.pet.walked',
    event_version: '1.0.0',
    grammar: 'crm',
    payload: {},
    principal_chain: [{ principal_type: 'service', principal_id: 'walker' }],
  },
  'POST /commerce/api/contacts': { email: 'somebody@example.com' },
  'PATCH /commerce/api/contact-schema': { defaultCountry: 'DE' },
  'PUT /commerce/api/contact-schema/fields/{key}': { key: 'pet', type: 'text', label: 'Pet' },
  'PATCH /studio/api/sites/{siteId}': { name: 'A site' },
  'PATCH /studio/api/forms/{formId}': { name: 'A form' },
  'POST /studio/api/forms/{formId}/recipients/retry': { address: 'somebody@example.com' },
  'POST /portal/api/standing-rules': {
    tool: 'service_post_bank_line',
    upTo: { amount: '1.00', currency: 'EUR' },
    validUntil: tomorrow,
  },
  'GET /accounting/api/reports/reconciliation.csv': { account: '9999', closing: '0.00' },
  'POST /accounting/api/audit/erasures': { subject: 'contact:somebody' },
  'POST /commerce/api/shipping-options': { amount: '1.00', shippingZoneId: nowhere },
  'POST /commerce/api/discounts': { kind: 'free_shipping', code: 'SALE' },
  'query bankSuggestionsOfLines': { lineIds: [nowhere] },
  // Nothing is shipped there, whatever zones were made before.
  'GET /commerce/api/shipping-quotes': { country: 'JP' },
  service_quote_shipping: { country: 'JP' },
  // Not where the route made one.
  service_create_shipping_zone: { places: [{ country: 'SE' }] },
  service_create_shipping_option: { amount: '1.00', shipping_zone_id: nowhere },
  service_create_discount: { kind: 'free_shipping', code: 'SAVE' },
  service_attach_file: { target_kind: 'entry', file_name: 'a.txt', media_type: 'text/plain', content_base64: 'eA==' },
  service_define_contact_field: { key: 'pet', type: 'text', label: 'Pet' },
  service_retry_form_recipient: { address: 'somebody@example.com' },
  service_set_contact_country: { country: 'DE' },
  // Of its own: a rate that is set already is proposed to nobody.
  service_set_exchange_rate: { currency: 'SEK' },
  service_update_form: { name: 'A form' },
  service_update_site: { name: 'A site' },
  // Of its own: one that is there already, and stays as it is, is proposed to nobody.
  service_upsert_contact: { email: 'service_upsert_contact@example.com' },
  'mutation attachFile': { fileName: 'a.txt', mediaType: 'text/plain', contentBase64: 'eA==' },
  'mutation setExchangeRate': { currency: 'EUR' },
  'mutation matchBankLine': { entries: [{ entryId: nowhere }] },
  service_remove_member: { member: 'nobody@example.com' },
  service_record_payment: { account: '1000' },
  // Months of their own: whether one is closed by then decides whether anybody is asked.
  service_close_period: { month: '2024-07-01' },
  service_reopen_period: { month: '2024-08-01', reason: 'words' },
  service_post_journal_entry: { lines: entryLines, narration: 'Interest' },
  'mutation postJournalEntry': {
    input: { currency: 'USD', date: '2026-03-02', narration: 'Interest', lines: entryLines },
  },
  'mutation ingestAuditEvent': {
    input: {
      type: 'crm.pet.walked',
      eventVersion: '1.0.0',
      grammar: 'crm',
      source: 'walker',
      occurredAt: '2026-03-02T00:00:00Z',
      payload: {},
      principalChain: [{ principalType: 'service', principalId: 'walker' }],
    },
  },
};

const known: Readonly<Record<string, unknown>> = {
  version: 1_000_000,
  currency: 'USD',
  amount: '1.00',
  percentage: '19',
  country: 'DE',
  category: 'standard',
  price: '1.00',
  // There is none: an account that is reconciled can be so once.
  account: '9999',
  month: '2024-05-01',
  day: '2026-03-02',
  date: '2026-03-02',
  as_of: '2026-03-02',
  from: '2026-01-01',
  to: '2026-03-02',
  issue_date: '2026-03-02',
  year: 2025,
  rate: '1.1',
  opening: '0.00',
  closing: '0.00',
  unit_price: '1.00',
  ...Object.fromEntries(
    [
      'id',
      'account_id',
      'credit_id',
      'document_id',
      'entry_id',
      'event_id',
      'line_id',
      'match_id',
      'party_id',
      'target_id',
    ].map((name) => [name, nowhere]),
  ),
};

/** A word that an operation alone uses, so that what it makes is in no other one's way. */
const ownWord = (name: string): string => name.replaceAll(/\W+/g, '-').slice(-30);

/** The same with words of one caller's own: what others had made before it changes nothing for it. */
export function leastOfCaller({ name, least: all }: Operation, caller: number): Arguments {
  const own = ownWord(name);
  return JSON.parse(JSON.stringify(all).replaceAll(own, own + caller)) as Arguments;
}

/** Ids are always the same. */
function least(name: string, shape: Shape): Arguments {
  const own = ownWord(name);
  const named = { ...known, email: `${own}@example.com` };
  const made = leastOf(shape as Parameters<typeof leastOf>[0], named) as Arguments;
  const text = JSON.stringify({ ...made, ...given[name] })
    .replaceAll('"words"', JSON.stringify(own))
    .replaceAll(/"0[0-9a-f]{7}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"/g, JSON.stringify(nowhere));
  return JSON.parse(text) as Arguments;
}

/** Every route, tool, field of the graph and page that there is. */
export async function everyOperation(setting: Setting): Promise<Operation[]> {
  return [...routes(setting), ...(await tools(setting)), ...fields(setting), ...pages(setting)];
}

function routes({ origin }: Setting): Operation[] {
  return restOperations().map(({ method, path, query, asks, headers, bodies }) => {
    const name = `${method} ${path}`;
    const [type, body] = Object.entries(bodies)[0] ?? [];
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => one);
    const isJson = type === 'application/json';
    const shape: Shape = {
      type: 'object',
      properties: {
        ...Object.fromEntries(inPath.map((one) => [one, { type: 'string' }])),
        ...query,
        ...(isJson ? body?.properties : {}),
      },
      required: [...inPath, ...asks, ...((isJson ? body?.required : undefined) ?? [])],
    };
    const ids = Object.fromEntries(inPath.map((one) => [one, one === 'version' ? 1 : nowhere]));
    return {
      name,
      door: 'route',
      shape,
      least: {
        ...ids,
        ...least(name, { ...shape, required: [...asks, ...((isJson ? body?.required : undefined) ?? [])] }),
      },
      sent: (args, by) => {
        const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
        const search = new URLSearchParams(
          Object.keys(query).flatMap((one) => (args[one] === undefined ? [] : [[one, text(args[one])]])),
        ).toString();
        const rest = Object.entries(args).filter(([one]) => !inPath.includes(one) && query[one] === undefined);
        const at = path.replaceAll(/\{(\w+)\}/g, (_all, one: string) => encodeURIComponent(text(args[one])));
        return {
          method,
          url: `${origin}${at}${search === '' ? '' : `?${search}`}`,
          headers: {
            ...by.headers,
            ...(type === undefined ? {} : { 'content-type': type }),
            ...('Idempotency-Key' in headers ? { 'idempotency-key': 'recorded-request' } : {}),
          },
          ...(type === undefined ? {} : { body: isJson ? JSON.stringify(Object.fromEntries(rest)) : 'x' }),
        };
      },
      told: toldOf.route,
    };
  });
}

interface Listed {
  readonly name: string;
  readonly inputSchema: Shape;
  readonly _meta?: { readonly pillar?: string; readonly area?: string };
}

/** The tools that a caller sees at an address. */
export async function listed({ wire }: Setting, url: string, by: Caller): Promise<Heard> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
  return wire.send({ method: 'POST', url, headers: { ...by.headers, ...json }, body });
}

/** Addresses of the tool endpoint that some tool names as its own. */
export async function toolAddresses(setting: Setting): Promise<string[]> {
  return [...(await shapes(setting)).addresses.keys()];
}

async function shapes(setting: Setting): Promise<{
  readonly tools: ReadonlyMap<string, { readonly url: string; readonly shape: Shape }>;
  readonly addresses: ReadonlySet<string>;
}> {
  const { world, agent, callers } = setting;
  const found = new Map<string, { url: string; shape: Shape }>();
  const service = callers['machines']?.find(({ name }) => name === 'service-token') ?? agent;
  const base = world.server.addresses.mcp;
  // Not every pillar has a core tool to be found by.
  const addresses = new Set(['', ...pillars.map((pillar) => `/p/${pillar}`)]);
  const look = async (url: string, by: Caller): Promise<void> => {
    const { result } = JSON.parse((await listed(setting, url, by)).text) as { result: { tools: Listed[] } };
    for (const { name, inputSchema, _meta: told } of result.tools) {
      if (!found.has(name)) found.set(name, { url, shape: inputSchema });
      if (told?.pillar !== undefined) addresses.add(`/p/${told.pillar}`);
      if (told?.pillar !== undefined && told.area !== undefined) addresses.add(`/p/${told.pillar}/${told.area}`);
    }
  };
  for (const address of addresses) await look(base + address, agent);
  await look(`${world.server.internalUrl}/internal/mcp`, service);
  return { tools: found, addresses };
}

async function tools(setting: Setting): Promise<Operation[]> {
  const found = (await shapes(setting)).tools;
  const missing = toolNames().filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`nobody is shown ${missing.join(', ')}`);
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { url, shape }]) => ({
      name,
      door: 'tool',
      shape,
      least: least(name, shape),
      sent: (args, by) => ({
        method: 'POST',
        url,
        headers: { ...by.headers, ...json },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      }),
      told: toldOf.tool,
    }));
}

function fields({ world }: Setting): Operation[] {
  const url = `${world.server.addresses.accounting}/graphql`;
  return graphOperations().map(({ name, query, shape }) => ({
    name,
    door: 'field',
    shape,
    least: least(name, shape),
    sent: (variables, by) => ({
      method: 'POST',
      url,
      headers: { ...by.headers, ...json },
      body: JSON.stringify({ query, variables }),
    }),
    told: toldOf.field,
  }));
}

/** Addresses that no reference describes: pages, files, letters' links, the tool endpoint itself. */
function pages({ routes: served, world, origin }: Setting): Operation[] {
  const described = new Set(
    restOperations().map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const own = [
    'POST /mcp',
    'GET /mcp',
    'DELETE /mcp',
    'GET /mcp/manifest',
    'POST /internal/mcp',
    'GET /internal/manifest',
  ];
  const places = [...served.filter((one) => /^(?:GET|POST) /.test(one) && !described.has(one)), ...own];
  return [...new Set(places)].toSorted().map((name) => {
    const [method = '', path = ''] = name.split(' ');
    const base = path === '/metrics' || path.startsWith('/internal') ? world.server.internalUrl : origin;
    return {
      name,
      door: 'page',
      shape: { type: 'object' },
      least: {},
      sent: (_args, by) => ({
        method,
        url: base + path.replaceAll(/:\w+/g, nowhere),
        headers: { ...by.headers, ...(method === 'POST' ? json : {}) },
        ...(method === 'POST' ? { body: '{}' } : {}),
      }),
      told: toldOf.route,
    };
  });
}
