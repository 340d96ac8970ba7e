import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pillars } from '@steward/access';
import { makeServiceToken } from '@steward/identity';
import { createProcessWorld, hireAgent, openShop, type Json, type Shop, type World } from '@steward/conformance/world';
import { files } from './files.ts';
import { fill, jsonOf, takesText, type Round } from './fill.ts';
import { furnish, type Furniture } from './furnish.ts';
import { hostileLists, hostileTexts, longest, type Shape } from './hostile.ts';
import { most, Watch, type Sent } from './watch.ts';

/** Milliseconds; for a machine that is very busy. */
export const timeout = 900_000;
export const json = { 'content-type': 'application/json' };
export const texts = Object.keys(hostileTexts);
export const hostile = { ...hostileTexts, ...hostileLists };
const unknownId = '0190a0a0-0000-7000-8000-00000000000a';

/** Addresses that a door owns, which no router tells of. */
export const doors = [
  '/mcp',
  '/rpc',
  '/mcp/manifest',
  '/sse',
  '/messages',
  '/idp/token',
  '/idp/register',
  '/idp/authorize',
  '/idp/no',
];

export interface Listed {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly shape: Shape;
}

/** A server that is watched, and a tenant in it that has something of everything. */
export interface StallWorld extends AsyncDisposable {
  readonly world: World;
  readonly watch: Watch;
  /** Calls a tool for the owner's agent. @throws Error where it does not do it */
  use(name: string, args: Readonly<Record<string, unknown>>): Promise<Json>;
  readonly shop: Shop;
  readonly furniture: Furniture;
  readonly origin: string;
  readonly tools: ReadonlyMap<string, Listed>;
  /** At the approval page: may decide, and do everything else. */
  readonly owner: Readonly<Record<string, string>>;
  /** Each text and each file within the shape's bounds, then everything beyond them, then very many items. */
  rounds(shape: Shape): Iterable<Round>;
  /** Bodies of the shape, each once and as a rule within what a body may have. */
  bodies(shape: Shape): Iterable<{ readonly what: string; readonly body: string }>;
  /** Something that there is, by the name of what asks for it. */
  idOf(name: string): string;
  /** Of a place such as `GET /portal/api/brands/:brandId`. */
  at(place: string): { readonly method: string; readonly url: string };
  /** Sends all. @throws AssertionError where one of them holds up others, or gets no answer */
  quiet(requests: Iterable<Sent>): Promise<void>;
}

/** @param own variables of the server @param things what there is beside the furniture, by the names of members; read as it is needed */
export async function createStallWorld(
  own: Readonly<Record<string, string>> = {},
  things: Round['known'] = {},
): Promise<StallWorld> {
  await using stack = new AsyncDisposableStack();
  const service = makeServiceToken('stall');
  const folder = await mkdtemp(join(tmpdir(), 'steward-stall-'));
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const port = join(folder, 'port');
  const world = stack.use(
    await createProcessWorld({
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('probe.ts', import.meta.url))}`,
      STALL_PROBE: port,
      SERVICE_TOKENS: service.entry,
      STOREFRONT_PER_IP_PER_MINUTE: '1000000',
      STOREFRONT_PER_KEY_PER_MINUTE: '1000000',
      ...own,
    }),
  );
  const { origin } = new URL(world.server.addresses.mcp);
  const watch = stack.use(new Watch(`${origin}/healthz`, `http://127.0.0.1:${await readFile(port, 'utf8')}`));
  await using agent = await hireAgent(world, 'owner@example.com');
  const { tenant } = agent;
  const shop = await openShop(agent, ['https://shop.example'], []);
  const token = await world.token({ user: 'owner@example.com', approver: true });
  const owner = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
  const tools = await listTools(
    watch,
    [world.server.addresses.mcp, { authorization: `Bearer ${agent.token}`, 'x-tenant-id': tenant }],
    [`${world.server.internalUrl}/internal/mcp`, { authorization: `Bearer ${service.token}`, 'x-tenant-id': tenant }],
  );

  /** @throws Error where the tool does not do it */
  const use = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Json> => {
    const { url = '', headers = {} } = tools.get(name) ?? {};
    const { text } = await watch.send({ method: 'POST', url, headers, body: calling(name, JSON.stringify(args)) });
    const result = (JSON.parse(text) as Json)['result']?.['structuredContent'];
    if (String(result?.['status']) !== 'ok') throw new Error(`${name}: ${text.slice(0, 1_000)}`);
    return result?.['data'] as Json;
  };
  const furniture = await furnish(use, shop, (name) => tools.get(name)?.shape ?? {});
  const file = (turn: number): string => files[turn % files.length]?.content ?? '';
  const known: Round['known'] = {
    ...furniture.known,
    tenantid: () => tenant,
    format: (_at, turn) => files[turn % files.length]?.format,
    content: (_at, turn) => file(turn),
    contentbase64: (_at, turn) =>
      Buffer.from(turn < 4 ? file(turn) : 'x')
        .toString('base64')
        .slice(0, 900_000),
    ...things,
  };

  /** Rounds of one operation: each text and each file within its bounds, then everything beyond them, then very many items. */
  function* rounds(shape: Shape): Generator<Round> {
    const turns = JSON.stringify(shape).includes('"content')
      ? Math.max(texts.length, files.length)
      : takesText(shape, known)
        ? texts.length
        : 2;
    const same = { room: longest, mostItems: 5, known };
    for (let turn = 0; turn < turns; turn += 1)
      yield { ...same, turn, text: texts[turn % texts.length] ?? '', within: true };
    for (const [turn, text] of ['zeros', 'marks'].entries()) yield { ...same, turn, text, within: false, mostItems: 2 };
    if (!JSON.stringify(shape).includes('"items"')) return;
    yield { ...same, turn: 0, text: 'digits', within: true, room: 10, mostItems: 20_000 };
    yield { ...same, turn: 0, text: 'digits', within: false, room: 10, mostItems: 16_000 };
  }

  /** Bodies of the shape, each once and as a rule within what a body may have. */
  function* bodies(shape: Shape): Generator<{ readonly what: string; readonly body: string }> {
    const seen = new Set<string>();
    for (const round of rounds(shape)) {
      const { body } = longestBody(shape, round);
      if (seen.has(body)) continue;
      seen.add(body);
      yield {
        what: `${round.text}, ${round.within ? 'within' : 'beyond'} bounds, turn ${round.turn}, ${round.mostItems} items`,
        body,
      };
    }
  }

  const quiet = async (requests: Iterable<Sent>): Promise<void> => {
    const answers = await watch.all(requests);
    if (process.env['STALL_TELLS'] !== undefined)
      for (const [name, said] of answers)
        console.log(name, [...said].map(([code, count]) => `${code}:${count}`).join(' '));
    assert.deepEqual(watch.unanswered.splice(0), [], 'every request is answered');
    assert.deepEqual(watch.stalls.splice(0), [], `the thread is at work for more than ${most} ms`);
  };
  const idOf = (name: string): string => String(known[name.toLowerCase()]?.(0, 0) ?? unknownId);
  const at = (place: string): { method: string; url: string } => {
    const [method = '', path = ''] = place.split(' ');
    const base = path === '/metrics' ? world.server.internalUrl : origin;
    return { method, url: base + path.replaceAll(/:(\w+)/g, (_all, key: string) => idOf(key)) };
  };
  const kept = stack.move();
  return {
    world,
    watch,
    use,
    shop,
    furniture,
    origin,
    tools,
    owner,
    rounds,
    bodies,
    quiet,
    idOf,
    at,
    [Symbol.asyncDispose]: async () => kept.disposeAsync(),
  };
}

/** Characters of a body at most. */
const mostOfBody = 1_000_000;
/** Items of a list whose body is made at once: lists of as many lists as a round may have are hundreds of megabytes. */
const fewItems = 1_000;

/** Of a round that is halved until its body may be sent. */
function longestBody(shape: Shape, round: Round): { readonly round: Round; readonly body: string } {
  const { room, mostItems } = round;
  const half = { ...round, room: Math.max(1, room >> 1), mostItems: Math.max(1, mostItems >> 1) };
  const below = mostItems > fewItems ? longestBody(shape, half) : undefined;
  if (below !== undefined && below.round !== half) return below;
  const body = jsonOf(fill(shape, round), room);
  if (body.length <= mostOfBody || (room === 1 && mostItems === 1)) return { round, body };
  return below ?? longestBody(shape, half);
}

export const calling = (name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`;

/** All tools of all addresses; those that only the platform's own callers see on the internal one. */
async function listTools(
  watch: Watch,
  [base, agent]: readonly [url: string, who: Listed['headers']],
  [internal, platform]: readonly [url: string, who: Listed['headers']],
): Promise<Map<string, Listed>> {
  const found = new Map<string, Listed>();
  const list = async (url: string, who: Readonly<Record<string, string>>): Promise<Set<string>> => {
    const headers = { ...who, ...json };
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
    const { text } = await watch.send({ method: 'POST', url, headers, body });
    const { result } = JSON.parse(text) as {
      result: { tools: { name: string; inputSchema: Shape; _meta?: Json }[] };
    };
    const below = new Set<string>();
    for (const { name, inputSchema, _meta: told } of result.tools) {
      if (!found.has(name)) found.set(name, { url, headers, shape: inputSchema });
      const [pillar, area] = [told?.['pillar'], told?.['area']].map((one) => (one === undefined ? '' : String(one)));
      if (pillar !== '') below.add(`/p/${pillar}`);
      if (area !== '') below.add(`/p/${pillar}/${area}`);
    }
    return below;
  };
  const addresses = await list(base, agent);
  // Not every pillar has a core tool to be found by.
  for (const pillar of pillars) addresses.add(`/p/${pillar}`);
  for (const path of addresses) for (const more of await list(base + path, agent)) addresses.add(more);
  await list(internal, platform);
  return found;
}
