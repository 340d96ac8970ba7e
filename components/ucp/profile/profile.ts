import { etagOf } from '@steward/catalogue';
import type { Guard, Route } from '@steward/contract';
import { route } from '@steward/contract';
import { createFreshCache } from '@steward/kernel';
import { handlersFor, paymentSettingsOf, selectPaymentSettings } from '@steward/orders';
import { z } from 'zod';
import { cardOf, cardPath } from '../a2a/card.ts';
import { showHandlers } from '../checkout/handlers.ts';
import { served } from '../door.ts';
import { ucpFail } from '../errors.ts';
import { capabilitiesOf, type Version } from '../negotiation/versions.ts';
import { serveAgents } from '../permissions.ts';
import type { Door, UcpPorts } from '../ports.ts';
import { base } from '../rest/routes.ts';

export interface ProfilePage {
  readonly text: string;
  readonly etag: string;
}

const freshFor = 1_000;
/** Seconds; the protocol wants a minute at least, and revoked keys shall not be believed for long. */
const caching = 'public, max-age=60';
const wellKnown = '/.well-known/ucp';

const spec = 'https://ucp.dev';

/**
 * What a brand says of itself: one release first, and where those before it are said. The profile of an older release stands alone.
 */
export function profileOf(
  door: Door,
  version: Version,
  older: readonly Version[],
  at: string,
  { keys, handlers }: { readonly keys: readonly object[]; readonly handlers: Readonly<Record<string, unknown>> },
): Readonly<Record<string, unknown>> {
  void door;
  const of = { version, spec: `${spec}/${version}/specification/overview` };
  return {
    ucp: {
      version,
      ...(older.length === 0
        ? {}
        : { supported_versions: Object.fromEntries(older.map((one) => [one, `${at}${wellKnown}/${one}`])) }),
      services: {
        'dev.ucp.shopping': [
          { ...of, transport: 'rest', endpoint: at, schema: `${spec}/${version}/services/shopping/rest.openapi.json` },
          {
            ...of,
            transport: 'mcp',
            endpoint: `${at}/mcp`,
            schema: `${spec}/${version}/services/shopping/mcp.openrpc.json`,
          },
          { ...of, transport: 'a2a', endpoint: `${at}${cardPath}` },
        ],
      },
      capabilities: Object.fromEntries(
        capabilitiesOf(version).map(({ name, extends: parents, spec: page, schema, config }) => [
          name,
          [
            {
              version,
              spec: `${spec}/${version}/specification/${page}`,
              schema: `${spec}/${version}/schemas/shopping/${schema}`,
              ...(parents.length === 0 ? {} : { extends: parents.length === 1 ? parents[0] : parents }),
              ...(config === undefined ? {} : { config }),
            },
          ],
        ]),
      ),
      payment_handlers: handlers,
    },
    keys,
    // As releases before 2026-08-25 call them.
    signing_keys: keys,
  };
}

export interface Profiles {
  of(door: Door, version: Version): Promise<ProfilePage>;
  /** For agents of the Agent2Agent protocol; undefined: there is no such brand any more. */
  card(door: Door): Promise<ProfilePage | undefined>;
}

/** Kept for a second, and until this process writes for the tenant. */
export function createProfiles(ports: UcpPorts): Profiles {
  const { config, agentic, tenancy } = ports;
  const { accounts } = ports.orders.payments;
  const all = served(config.ucp);
  const pages = createFreshCache<ProfilePage & { readonly tenant: string }>({
    milliseconds: freshFor,
    capacity: 2_000,
    missing: 1,
  });
  tenancy.onWrite((tenant) => pages.forget((one) => one.tenant === tenant));
  return {
    card: async (door) =>
      pages.get(`${door.brandId} card ${door.at}`, async () => {
        const name = await agentic.nameOf(door);
        if (name === undefined) return { value: undefined };
        const text = JSON.stringify(cardOf(name, door.at, all));
        return { value: { text, etag: etagOf(text), tenant: door.tenant } };
      }),
    of: async (door, version) => {
      const { tenant, brandId, mode } = door;
      const page = await pages.get(`${brandId} ${mode} ${version} ${door.at}`, async () => {
        const who = { type: 'system', id: 'ucp' } as const;
        const context = tenancy.systemContext({
          tenant,
          chain: [who],
          subject: who,
          caller: who,
          requestId: brandId,
          correlationId: brandId,
        });
        const account = accounts?.select(tenant, mode);
        const reads = [selectPaymentSettings(tenant), ...(account === undefined ? [] : [account])];
        const [keys, [rows = [], own = []]] = await Promise.all([
          agentic.keysOf(door),
          context.require(serveAgents).readAll(reads),
        ]);
        const card = accounts?.accountIn(own[0], mode) !== undefined;
        const older = version === all[0] ? all.slice(1) : [];
        const handlers = showHandlers(
          handlersFor(mode, paymentSettingsOf(rows[0]), card).map(({ handler, methods }) => ({
            handler,
            methods: [...methods],
          })),
          version,
          true,
        );
        const text = JSON.stringify(profileOf(door, version, older, door.at, { keys, handlers }));
        return { value: { text, etag: etagOf(text), tenant } };
      });
      return page as ProfilePage;
    },
  };
}

/** Where a brand says what it can. */
export function profileRoutes(guard: Guard<Door>, ports: UcpPorts, profiles: Profiles): Route[] {
  const all = served(ports.config.ucp);
  const answer = ({ text, etag }: ProfilePage, known: string | undefined) => {
    const headers = { etag, 'cache-control': caching, 'access-control-allow-origin': '*' };
    return known !== undefined && matches(known, etag) ? { status: 304, headers } : { status: 200, text, headers };
  };
  const common = {
    method: 'GET',
    does: 'for_anyone',
    tag: 'Universal Commerce Protocol',
    guard,
    headers: { 'If-None-Match': 'ETag of what is known.' },
    answers: {
      200: { description: 'The profile.', schema: z.looseObject({ ucp: z.looseObject({ version: z.string() }) }) },
      304: { description: 'Nothing changed.' },
    },
  } as const;
  return [
    route({
      ...common,
      path: `${base}${wellKnown}`,
      summary: 'What a brand says of itself to agents',
      params: z.object({ brandId: z.string() }),
      handle: async ({ guard: door, request }) =>
        answer(await profiles.of(door, all[0] as Version), request.headers['if-none-match']),
    }),
    route({
      ...common,
      path: `${base}${wellKnown}/:version`,
      summary: 'The same of one release of the protocol',
      params: z.object({ brandId: z.string(), version: z.string() }),
      errors: ['version_unsupported'],
      handle: async ({ guard: door, params: { version }, request }) => {
        const found = all.find((one) => one === version);
        if (found === undefined)
          throw ucpFail('version_unsupported', `This release is not served: use ${all.join(' or ')}.`);
        return answer(await profiles.of(door, found), request.headers['if-none-match']);
      },
    }),
    route({
      ...common,
      path: `${base}${cardPath}`,
      summary: 'What a brand says of itself to agents of the Agent2Agent protocol',
      params: z.object({ brandId: z.string() }),
      answers: {
        ...common.answers,
        200: { description: 'The card.', schema: z.looseObject({ protocolVersion: z.string(), url: z.string() }) },
      },
      errors: ['door_closed'],
      handle: async ({ guard: door, request }) => {
        const card = await profiles.card(door);
        if (card === undefined) throw ucpFail('door_closed', 'The brand is gone.');
        return answer(card, request.headers['if-none-match']);
      },
    }),
  ];
}

/** RFC 9110 §13.1.2, weakly. */
const matches = (known: string, etag: string): boolean =>
  known.length <= 4_000 &&
  (known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag));
