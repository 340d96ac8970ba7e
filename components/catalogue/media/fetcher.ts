import { type GuardedFetch, type Log, newId, Problem } from '@steward/kernel';
import { sql, statement, type Tenancy, type TenantContext, type TenantTransaction } from '@steward/sql';
import { backoff, createLoop, createSemaphore, type Loop } from '@steward/work';
import { event } from '../events.ts';
import { serveCatalogue } from '../permissions.ts';
import { fitting } from '../logos/fit.ts';
import { dropLogos, logoChanged, logosOf } from '../logos/logo.ts';
import { changed } from '../products/changed.ts';
import { lockProducts } from '../products/product.ts';
import { fetchPicture, NotFetched } from './fetch.ts';
import { bytesOf, digestOf, dropPictures, holdMedia, keepPicture } from './keep.ts';
import type { Picture, Pictures } from './pictures.ts';
import { turnWithin } from './turn.ts';

const itself = { type: 'system', id: 'catalogue' } as const;
/** Longer than a picture takes to be fetched and read. */
const lease = '3 minutes';
const patience = 20_000;
const mostAttempts = 5;
/** Pictures fetched at once by a process; each is held in memory meanwhile. */
const most = 4;
/** Of one tenant, so that its slow hosts leave room for others. */
const mostOfTenant = 2;
/** Pictures that wait with one whose host failed. */
const mostPutOff = 1_000;
const between = { first: 60_000, longest: 3_600_000 };
/** A picture that another process was told of is looked for so often. */
const rest = 15_000;

interface Due {
  readonly tenant_id: string;
  readonly medium_id: string;
  readonly source: string;
  readonly attempts: number;
}

/** What a row is a picture of: one of the two. */
type Shows =
  | { readonly product_id: string; readonly brand_id: null }
  | { readonly product_id: null; readonly brand_id: string };

interface FetcherPorts {
  readonly tenancy: Pick<Tenancy, 'systemContext' | 'pool'>;
  readonly pictures: Pictures;
  readonly fetch: GuardedFetch;
  readonly log: Log;
  /** Milliseconds that fetching one picture may take, with all redirects; 20 seconds unless it is said. */
  readonly deadline?: number;
}

/** Fetches the pictures that are waited for: some at once, and one tenant after the other. */
export function createFetcher(ports: FetcherPorts): Pick<Loop, 'start' | 'stop' | 'wake'> {
  const underWay = new Set<Due>();
  const busy = (): string[] => {
    const tenants = Array.from(underWay, (due) => due.tenant_id);
    return [...new Set(tenants.filter((one) => tenants.filter((other) => other === one).length >= mostOfTenant))];
  };
  const claiming = createSemaphore(1);
  /** One after the other, so that each counts what the one before it claimed. */
  const claim = async (): Promise<Due | undefined> => {
    await claiming.acquire();
    try {
      const [due] = await ports.tenancy.pool.query<Due & Record<string, unknown>>(
        sql`select * from catalogue.claim_medium(${lease}::interval, ${busy()}::uuid[])`,
      );
      if (due !== undefined) underWay.add(due);
      return due;
    } finally {
      claiming.release();
    }
  };
  const fetchNext = async (stopping: AbortSignal): Promise<number> => {
    const due = await claim();
    if (due === undefined) return rest;
    try {
      await settle(ports, due, stopping);
    } finally {
      underWay.delete(due);
    }
    return 0;
  };
  const loops = Array.from({ length: most }, () =>
    createLoop({
      round: fetchNext,
      failed: (error) => ports.log.warn({ err: error }, 'a picture was not fetched; it is tried again'),
      retry: { first: 1_000, longest: 60_000 },
      patience,
    }),
  );
  return {
    start: () => {
      for (const loop of loops) loop.start();
    },
    wake: () => {
      for (const loop of loops) loop.wake();
    },
    stop: async () => {
      await Promise.all(loops.map(async (loop) => loop.stop()));
    },
  };
}

async function settle(ports: FetcherPorts, due: Due, stopping: AbortSignal): Promise<void> {
  const context = contextOf(ports, due.tenant_id);
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(ports.deadline ?? patience), stopping]);
    const content = await fetchPicture(ports.fetch, due.source, signal);
    const picture = await ports.pictures.read(content, due.tenant_id);
    if (typeof picture === 'string') throw new NotFetched(picture);
    context.spend('attachmentBytes', bytesOf(picture));
    await keep(context, due, picture, content.length);
  } catch (error) {
    // Another process, or this one after its start, takes it up once the lease is over.
    if (stopping.aborted) return;
    if (error instanceof Problem && error.code === 'quota_exceeded')
      return giveUp(context, due, new NotFetched('quota_exceeded'));
    if (!(error instanceof NotFetched)) throw error;
    await giveUp(context, due, error);
  }
}

function contextOf({ tenancy }: FetcherPorts, tenant: string): TenantContext {
  const id = newId();
  return tenancy.systemContext({
    tenant,
    chain: [itself],
    subject: itself,
    caller: itself,
    requestId: `catalogue-${id}`,
    correlationId: id,
  });
}

/** Nothing, where it was removed meanwhile. */
async function keep(context: TenantContext, { medium_id: id }: Due, picture: Picture, came: number): Promise<void> {
  await context.require(serveCatalogue).write(async (tx) => {
    await holdMedia(tx);
    const { tenant } = tx.context;
    const [row] = await tx.query<Shows>(
      statement(
        `select product_id, brand_id from catalogue.medium where tenant_id = $1::uuid and medium_id = $2::uuid and digest is null`,
        [tenant, id],
      ),
    );
    if (row === undefined) return;
    if (row.product_id === null) return keepLogo(tx, row.brand_id, id, fitting(picture, came));
    await lockProducts(tx, [row.product_id]);
    const digest = digestOf(tenant, picture);
    await keepPicture(tx, picture);
    await tx.query(
      statement(
        `update catalogue.medium set digest = $3, failure = null, next_at = null where tenant_id = $1::uuid and medium_id = $2::uuid`,
        [tenant, id, digest],
      ),
    );
    await changed(tx, new Map([[row.product_id, ['media']]]));
    tx.record(
      event('commerce.product.pictured', {
        product_id: row.product_id,
        medium_id: id,
        digest,
        bytes: bytesOf(picture),
      }),
    );
  });
}

async function keepLogo(
  tx: TenantTransaction,
  brandId: string,
  id: string,
  picture: Picture | undefined,
): Promise<void> {
  if (picture === undefined) throw new NotFetched('logo_unusable');
  const { tenant } = tx.context;
  const before = await logosOf(tx.query, tenant, brandId);
  const digest = await keepPicture(tx, picture);
  const gone = await dropLogos(
    tx,
    brandId,
    before.filter((one) => one.digest !== null),
  );
  await tx.query(
    statement(
      `update catalogue.medium set digest = $3, failure = null, next_at = null where tenant_id = $1::uuid and medium_id = $2::uuid`,
      [tenant, id, digest],
    ),
  );
  await dropPictures(tx, gone);
  await logoChanged(tx, brandId, id);
}

async function giveUp(context: TenantContext, due: Due, { failure, again }: NotFetched): Promise<void> {
  const later = again && due.attempts < mostAttempts;
  await context.require(serveCatalogue).write(async (tx) => {
    await holdMedia(tx);
    const values = [tx.context.tenant, due.medium_id];
    if (later) {
      const wait = Math.round(backoff(between, due.attempts));
      // What a host that does not answer has besides is not there either, so it waits as long and counts the attempt as its own.
      await tx.queryAll([
        statement(
          `update catalogue.medium m set next_at = clock_timestamp() + $3::int * interval '1 millisecond', attempts = greatest(m.attempts, $4::int)
           where m.tenant_id = $1::uuid and m.next_at is not null and (m.medium_id = $2::uuid or m.medium_id in (
             select o.medium_id from catalogue.medium o
             where o.tenant_id = $1::uuid and o.next_at <= clock_timestamp() and starts_with(o.source, $5) order by o.next_at limit $6::int))`,
          [
            ...values,
            wait,
            due.attempts,
            `${URL.parse(due.source)?.origin ?? due.source}/`,
            failure === 'unreachable' ? mostPutOff : 0,
          ],
        ),
        turnWithin(tx.context.tenant, wait),
      ]);
      return;
    }
    const [row] = await tx.query<Shows>(
      statement(
        `select product_id, brand_id from catalogue.medium where tenant_id = $1::uuid and medium_id = $2::uuid and next_at is not null`,
        values,
      ),
    );
    if (row === undefined) return;
    if (row.product_id !== null) await lockProducts(tx, [row.product_id]);
    await tx.query(
      statement(
        `update catalogue.medium set failure = $3, next_at = null where tenant_id = $1::uuid and medium_id = $2::uuid`,
        [...values, failure],
      ),
    );
    if (row.product_id === null) await logoChanged(tx, row.brand_id, due.medium_id);
    else await changed(tx, new Map([[row.product_id, ['media']]]));
  });
}
