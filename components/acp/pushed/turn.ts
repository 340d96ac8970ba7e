import { baseCurrency } from '@steward/accounting';
import type { Agentic } from '@steward/agentic';
import type { Secrets } from '@steward/audit';
import { nextPriceChange, publishedAfter, publishedNamed, type PublishedProduct } from '@steward/catalogue';
import { type GuardedPost, newId, Problem } from '@steward/kernel';
import {
  beforeAllIds,
  type Statement,
  type TenantContext,
  type TenantScope,
  type TenantTransaction,
} from '@steward/sql';
import { buyable } from '@steward/stock';
import { backoff } from '@steward/work';
import { pushFeeds, serveAgents } from '../permissions.ts';
import { type Contents, contentsOf, type Known } from './contents.ts';
import { endWork, holdFeed, seatOf, setFeed, told } from './feed.ts';
import { createAt, type Outcome, type Platform, upsertAt } from './platform.ts';
import { mostOfBatch } from './set.ts';
import type { Timings } from './timings.ts';
import type { Withholding } from './words.ts';
import {
  type Change,
  forget,
  type Held,
  holding,
  knownOf,
  leave,
  mayKnow,
  selectKnown,
  selectMarked,
  selectState,
  settled,
  type State,
  stateOf,
  unmark,
} from './work.ts';

export interface TurnPorts {
  readonly contextOf: (tenant: string) => TenantContext;
  readonly post: GuardedPost['post'];
  readonly secrets: Pick<Secrets, 'open'>;
  readonly openTo: Agentic['openTo'];
  /** The address that pictures are served at. */
  readonly mediaAt: string;
  readonly timings: Timings;
}

/** Bytes of a request; one product alone may have more. */
const mostBytes = 1_000_000;
/** Of what is known, read beside a page of products. */
const mostKnown = 200;
/** Pages of what the platform has as it is, that are compared in one go. */
const mostPages = 20;
/** So many products in a row that a platform refuses are no longer taken for faults of each. */
const refusedAtMost = 10;
const longestFailure = 1_000;

/** Where a turn goes on: with the next request, or not. */
type Next =
  | 'more'
  | 'lost'
  | { readonly due: number | 'walk'; readonly exactly?: boolean; readonly withheld?: Withholding };

/**
 * Pushes what is due of a feed that this process has, in a bounded number of requests, and leaves it. What has been sent is written down before it is sent, and what became of it afterwards: so
 * a process that dies in between has it sent once more.
 */
export async function turnOf(ports: TurnPorts, held: Held, stopping: AbortSignal): Promise<void> {
  const context = ports.contextOf(held.tenant);
  const scope = context.require(pushFeeds);
  const turn = new Turn(ports, held, context, scope);
  const { turn: most, turnTime } = ports.timings;
  const end = performance.now() + turnTime;
  let next: Next = await turn.step();
  for (let round = 1; next === 'more' && round < most && performance.now() < end && !stopping.aborted; round += 1)
    next = await turn.step();
  if (next === 'lost') return;
  await scope.write(async (tx) => void (await tx.query(leave(held, next === 'more' ? { due: 0 } : next))));
}

class Turn {
  readonly #ports: TurnPorts;
  readonly #held: Held;
  readonly #context: TenantContext;
  readonly #scope: TenantScope;
  #token: { readonly version: number; readonly text: string } | undefined;
  #currency: string | undefined;
  #marksLast = false;

  constructor(ports: TurnPorts, held: Held, context: TenantContext, scope: TenantScope) {
    this.#ports = ports;
    this.#held = held;
    this.#context = context;
    this.#scope = scope;
  }

  /** One request at most. */
  async step(): Promise<Next> {
    const [row] = await this.#scope.read(selectState(this.#held));
    if (row === undefined) return 'lost';
    const state = stateOf(row);
    if (!state.active || state.token === null) return { due: 'walk' };
    const door = await this.#ports.openTo(this.#held.tenant, state.agentId);
    const withheld = typeof door === 'string' ? door : door.mode === 'live' ? undefined : 'door_in_test';
    if (withheld !== undefined) return { due: this.#ports.timings.withheld, withheld };
    let platform: Platform;
    try {
      platform = { url: state.url, token: await this.#tokenOf(state, state.token) };
    } catch (error) {
      const words = error instanceof Problem ? error.code : 'token_unreadable';
      return this.#failed(state, { took: false, what: 'again', words, wait: undefined });
    }
    if (state.platformId === null) return this.#create(state, platform);
    const walking = state.walkAfter !== null || state.walkDue;
    // Neither waits for the other to end: a comparison takes long, and changes may not end.
    const marked = walking && this.#marksLast ? [] : await this.#marked(state);
    this.#marksLast = marked.length > 0;
    if (marked.length > 0) return this.#push(state, platform, state.platformId, { contents: marked });
    return walking ? this.#walk(state, platform, state.platformId) : { due: 'walk' };
  }

  async #tokenOf({ version, url }: State, sealed: string): Promise<string> {
    if (this.#token?.version !== version) {
      const query = this.#scope.read as TenantTransaction['query'];
      const bytes = await this.#ports.secrets.open(
        { context: this.#context, query },
        seatOf(this.#held.feedId, url),
        sealed,
      );
      this.#token = { version, text: bytes.toString() };
    }
    return this.#token.text;
  }

  /** Writes as long as this process has the feed and nobody has changed it. */
  async #write(
    state: State,
    change: Change,
    also?: (tx: TenantTransaction) => Promise<void>,
    before?: (tx: TenantTransaction) => Promise<unknown>,
  ): Promise<boolean> {
    return this.#scope.write(async (tx) => {
      await before?.(tx);
      const held = await holding(tx, this.#held, state, this.#ports.timings.lease, change);
      if (held) await also?.(tx);
      return held;
    });
  }

  async #create(state: State, platform: Platform): Promise<Next> {
    if (!(await this.#write(state, {}))) return 'more';
    const { creationKey: key, targetCountry } = state;
    const outcome = await createAt(this.#ports.post, platform, { key, targetCountry });
    if (!outcome.took) return this.#failed(state, outcome);
    await this.#write(state, { platformId: outcome.id });
    return 'more';
  }

  async #contents(ids: readonly string[], sold: readonly PublishedProduct[], known: ReadonlyMap<string, Known>) {
    const bySold = new Map(sold.map((one) => [one.id, one]));
    if (this.#currency === undefined) {
      const [books] = await this.#context.require(serveAgents).read(baseCurrency(this.#held.tenant));
      this.#currency = String(books?.['base_currency']);
    }
    const currency = this.#currency;
    return ids.map((id) => contentsOf(id, bySold.get(id), known.get(id), currency));
  }

  get #reading() {
    return { mediaAt: this.#ports.mediaAt, buyable: (variantId: string) => buyable(variantId, 'live') };
  }

  /** What is marked, as it is now. */
  async #marked({ brandId }: State): Promise<Contents[]> {
    const known = knownOf(await this.#scope.read(selectMarked(this.#held, mostOfBatch)));
    if (known.size === 0) return [];
    const ids = [...known.keys()];
    const { products } = await publishedNamed(this.#context, brandId, ids, this.#reading);
    return this.#contents(ids, products, known);
  }

  /** Compares page by page, until something differs. */
  async #walk(state: State, platform: Platform, platformId: string): Promise<Next> {
    const begun = state.walkAfter === null ? await this.#begin(state) : state;
    if (begun === undefined) return 'more';
    let after = begun.walkAfter ?? beforeAllIds;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const page = await publishedAfter(this.#context, state.brandId, after, this.#reading);
      const last = page.at(-1)?.id ?? null;
      // Marks that are read after the products say nothing of these, so they stay.
      const known = unmarked(await this.#scope.read(selectKnown(this.#held, after, last, mostKnown)));
      const to = known.size < mostKnown ? last : ([...known.keys()].at(-1) ?? last);
      const sold = to === null ? page : page.filter(({ id }) => id <= to);
      const ids = [...new Set([...sold.map(({ id }) => id), ...known.keys()])].toSorted();
      const contents = await this.#contents(ids, sold, known);
      const differs = contents.some(({ json, same }) => json !== undefined && (begun.whole || !same));
      if (differs || to === null || pages === mostPages - 1)
        return this.#push(begun, platform, platformId, { contents, walk: { to } });
      after = to;
    }
    return 'more';
  }

  async #begin(state: State): Promise<State | undefined> {
    const { timings } = this.#ports;
    const [change] = await this.#scope.read<{ left: number | null }>(nextPriceChange(this.#held.tenant, state.brandId));
    const begun = { walkAfter: beforeAllIds, whole: state.wholeDue };
    const walkIn = Math.min(change?.left ?? Infinity, spread(timings.walk));
    return (await this.#write(state, { ...begun, walkIn })) ? { ...state, ...begun } : undefined;
  }

  /** @param walk of the comparison, up to where this is; null: it is the rest of all */
  async #push(
    state: State,
    platform: Platform,
    platformId: string,
    { contents, walk }: { readonly contents: readonly Contents[]; readonly walk?: { readonly to: string | null } },
  ): Promise<Next> {
    const everything = walk !== undefined && state.whole;
    const [differing, same] = parted(contents, ({ json, same: alike }) => json !== undefined && (everything || !alike));
    const sent = batchOf(differing, state.batch);
    const moved =
      walk === undefined
        ? {}
        : this.#movedTo(state, sent.length < differing.length ? (sent.at(-1)?.productId ?? null) : walk.to);
    const held = await this.#write(state, sent.length === 0 ? moved : {}, async (tx) => {
      await this.#store(
        tx,
        unmark,
        same.filter(({ mark }) => mark !== null),
      );
      await this.#store(
        tx,
        forget,
        same.filter(({ json }) => json === undefined),
      );
      await this.#store(tx, mayKnow, sent);
    });
    if (!held || sent.length === 0) return 'more';
    const body = `{"products":[${sent.map(({ json }) => json).join(',')}]}`;
    const outcome = await upsertAt(this.#ports.post, platform, { platformId, body });
    if (!outcome.took) return this.#failed(state, outcome, sent, moved);
    const batch = Math.min(mostOfBatch, state.batch * 2);
    await this.#write(state, { ...moved, pushed: true, failures: 0, refusedInRow: 0, batch }, async (tx) => {
      await this.#store(tx, (of, list) => settled(of, list, null), sent);
      await this.#store(
        tx,
        forget,
        sent.filter(({ variantIds }) => variantIds.length === 0),
      );
    });
    return 'more';
  }

  async #store(
    tx: TenantTransaction,
    write: (held: Held, list: readonly Contents[]) => Statement,
    list: readonly Contents[],
  ): Promise<void> {
    if (list.length > 0) await tx.query(write(this.#held, list));
  }

  #movedTo({ whole }: State, to: string | null): Change {
    if (to !== null) return { walkAfter: to };
    return {
      walkAfter: null,
      whole: false,
      failures: 0,
      ...(whole ? { wholeIn: spread(this.#ports.timings.whole) } : {}),
    };
  }

  /** @param moved how far the comparison has come with what was sent */
  async #failed(
    state: State,
    outcome: Outcome & { took: false },
    sent: readonly Contents[] = [],
    moved: Change = {},
  ): Promise<Next> {
    const { timings } = this.#ports;
    const { what, wait } = outcome;
    const failure = outcome.words.slice(0, longestFailure);
    const failures = state.failures + 1;
    const half = Math.max(1, Math.floor(sent.length / 2));
    if (what === 'final') {
      // Whoever changes a feed locks it before its work.
      const hold = async (tx: TenantTransaction): Promise<unknown> => holdFeed(tx, this.#held.feedId);
      await this.#write(state, { failure, failures }, async (tx) => this.#stop(tx), hold);
      return { due: 'walk' };
    }
    if (what === 'contents' && sent.length > 1) {
      await this.#write(state, { failure, batch: half });
      return 'more';
    }
    if (what === 'contents') {
      const refusedInRow = state.refusedInRow + 1;
      await this.#write(state, { ...moved, failure, refusedInRow }, async (tx) =>
        this.#store(tx, (of, list) => settled(of, list, failure), sent),
      );
      return refusedInRow < refusedAtMost
        ? 'more'
        : { due: backoff(timings.again, refusedInRow - refusedAtMost + 1), exactly: true };
    }
    // Nobody knows what became of the feed: another one is begun, with everything that is sold.
    const begun =
      what === 'lost' ? { platformId: null, creationKey: newId(), walkIn: 0, walkAfter: null, wholeIn: 0 } : {};
    const late = failure.startsWith('timed_out') ? { batch: half } : {};
    await this.#write(state, { ...begun, ...late, failure, failures });
    return { due: wait ?? backoff(timings.again, failures), exactly: true };
  }

  /** The platform takes nothing until a person has done something about it. */
  async #stop(tx: TenantTransaction): Promise<void> {
    const { tenant, feedId } = this.#held;
    tx.record(told('acp.feed.paused', await setFeed(tx, feedId, `status = 'paused', reason = 'refused'`)));
    await tx.query(endWork(tenant, feedId));
  }
}

const unmarked = (rows: Parameters<typeof knownOf>[0]): Map<string, Known> =>
  new Map(Array.from(knownOf(rows), ([id, one]) => [id, { ...one, mark: null }]));

/** A tenth more or less, so that not all come at once. */
const spread = (milliseconds: number): number => milliseconds * (0.9 + Math.random() / 5);

function parted<T>(all: readonly T[], holds: (one: T) => boolean): readonly [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const one of all) (holds(one) ? yes : no).push(one);
  return [yes, no];
}

/** The first of them, as many as go into one request. */
function batchOf(contents: readonly Contents[], most: number): Contents[] {
  const sent: Contents[] = [];
  let bytes = 0;
  for (const one of contents) {
    bytes += Buffer.byteLength(one.json ?? '');
    if (sent.length > 0 && (sent.length >= most || bytes > mostBytes)) break;
    sent.push(one);
  }
  return sent;
}
