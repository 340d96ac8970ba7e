import { hash } from 'node:crypto';
import { isId, type Log, newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import type { AdapterPorts, Arrived, Item } from '../adapters/adapter.ts';
import { callbacksFail } from '../errors.ts';
import { bytesOf } from '../bodies/kept.ts';
import { mentionsOf } from '../bodies/mentions.ts';
import type { DeliverySeal, Sealed } from '../deliveries/seal.ts';
import { event } from '../events.ts';
import type { CallbackMetrics } from '../metrics.ts';
import { serveCallbacks } from '../permissions.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { type Candidate, type CandidateDeps, createCandidates, type Source } from './candidates.ts';
import type { Claim, Claimed } from './claims.ts';
import { keptHeaders } from './headers.ts';
import { createRefusals } from './refused.ts';

/** Of what belongs to no tenant. */
export const nobody = '00000000-0000-0000-0000-000000000000';

export interface IntakeDeps extends CandidateDeps {
  readonly adapterPorts: AdapterPorts;
  readonly metrics: CallbackMetrics;
  readonly log: Log;
  /** Called once something is to be done. */
  readonly wake: () => void;
  readonly seal: Pick<DeliverySeal, 'of'>;
  readonly claim: (claim: Claim) => Promise<Claimed>;
}

export interface Received {
  readonly status: number;
  readonly text: string;
  readonly type?: 'text/plain; charset=utf-8';
}

const taken: Received = { status: 200, text: '{"received":true}' };

/**
 * Takes a request of a provider: found genuine, kept, and answered, before anything is done about it (contracts §8).
 * Order: secrets that it may be signed with, signature, what it says, whether it belongs here, whose it is, claim.
 */
export function createIntake(deps: IntakeDeps) {
  const candidatesFor = createCandidates(deps);
  const noteRefusal = createRefusals(deps);

  /**
   * @throws Problem `provider_not_configured` (503) without any secret, `callback_unverified` (401), `callback_malformed`, `callback_refused` (400),
   *   `quota_exceeded` (403)
   */
  return async (receiver: Receiver, arrived: Arrived, connection: string | undefined): Promise<Received> => {
    const named = connection === undefined || isId(connection) ? connection : nobody;
    let candidates: readonly Candidate[] = [];
    try {
      candidates = await candidatesFor(receiver, arrived, named);
      if (candidates.length === 0)
        throw callbacksFail(
          'provider_not_configured',
          'No secret is configured for what this request says of itself: connect the account, or register the address of its connection.',
        );
      const genuine = await genuineAs(candidates, arrived, deps.adapterPorts);
      const handshake = genuine.adapter.handshake?.(arrived, genuine);
      if (handshake !== undefined) return { ...handshake, type: 'text/plain; charset=utf-8' };
      const items = genuine.adapter.read(arrived);
      for (const item of items) {
        receiver.admit?.(item);
        requireMode(item, genuine);
      }
      await claim(deps, { receiver, arrived, genuine, items });
      return taken;
    } catch (error) {
      deps.metrics.refused(receiver.name, error instanceof Problem ? error.code : 'internal_error');
      const [{ source } = {}] = candidates;
      if (named !== undefined && source !== undefined && error instanceof Problem && error.status < 500)
        await noteRefusal(source, error);
      throw error;
    }
  };
}

/** The first whose signature fits. All are compared. */
async function genuineAs(candidates: readonly Candidate[], arrived: Arrived, ports: AdapterPorts): Promise<Candidate> {
  let genuine: Candidate | undefined;
  for (const candidate of candidates)
    if (await candidate.adapter.verify(arrived, candidate, ports)) genuine ??= candidate;
  if (genuine === undefined)
    throw callbacksFail(
      'callback_unverified',
      'The signature is not of a secret that is configured for this address, or the body was changed on its way.',
    );
  return genuine;
}

/** Test events change nothing live, and the other way round. */
function requireMode({ live }: Item, { source, ...credentials }: Candidate): void {
  const expected = source === undefined ? (credentials as { readonly live?: boolean }).live : source.live;
  if (live !== null && expected !== undefined && live !== expected)
    throw callbacksFail(
      'callback_refused',
      `The event is of ${live ? 'live' : 'test'} mode, and the secret is for ${expected ? 'live' : 'test'} mode: register an endpoint of the right mode.`,
    );
}

interface Taken {
  readonly receiver: Receiver;
  readonly arrived: Arrived;
  readonly genuine: Candidate;
  readonly items: readonly Item[];
}

interface Owner {
  readonly tenant: string;
  readonly connectionId: string | null;
  readonly status: 'waiting' | 'held' | 'unclaimed';
}

async function claim(deps: IntakeDeps, { receiver, arrived, genuine, items }: Taken): Promise<void> {
  const digest = hash('sha256', arrived.body, 'buffer');
  const body = genuine.adapter.kept?.(arrived.body) ?? arrived.body;
  const headers = keptHeaders(arrived.headers);
  const { name: provider } = genuine.adapter;
  const take = async (item: Item, index: number): Promise<boolean> => {
    const owner =
      genuine.source === undefined ? await ownerOf(deps, receiver, provider, item) : ownedBy(genuine.source);
    const { signed, ...said } = item;
    const sealed: Sealed = {
      ...said,
      tenant: owner.tenant,
      deliveryId: newId(),
      receiver: receiver.name,
      provider,
      connectionId: owner.connectionId,
      providerDeliveryId: item.deliveryId,
      item: index,
      body,
    };
    // Whoever has the secret of an account of its own can sign as much as it likes.
    const own = genuine.source === undefined ? undefined : deps.contextOf(genuine.source.tenant);
    own?.spend('callbackBytes', bytesOf(body));
    const { outcome, delivery_id: first } = await deps.claim({
      ...sealed,
      digest,
      signed: signed === undefined ? null : hash('sha256', signed, 'buffer'),
      headers,
      mentions: owner.tenant === nobody ? [] : mentionsOf(owner.tenant, body),
      seal: deps.seal.of(sealed),
      status: owner.status,
    });
    if (outcome === 'repeated' || outcome === 'surplus') own?.spend('callbackBytes', -bytesOf(body));
    deps.metrics.received(receiver.name, owner.tenant === nobody ? 'unclaimed' : outcome);
    if (outcome === 'conflicting') await alarm(deps, { owner, receiver, provider, item, digest, first });
    return outcome === 'new' && owner.status === 'waiting';
  };
  const waits = await Promise.all(items.map(take));
  if (waits.includes(true)) deps.wake();
}

const ownedBy = ({ tenant, connectionId, paused }: Source): Owner => ({
  tenant,
  connectionId,
  status: paused ? 'held' : 'waiting',
});

/** Whose an event is that is genuine by the deployment's secret. */
async function ownerOf(deps: IntakeDeps, receiver: Receiver, provider: string, item: Item): Promise<Owner> {
  if (receiver.tenantOf !== undefined) {
    const tenant = await receiver.tenantOf(item);
    if (tenant !== undefined) return { tenant, connectionId: null, status: 'waiting' };
  } else if (item.account !== null) {
    const found = await deps.pool.read<{ tenant_id: string; connection_id: string; live: boolean; status: string }>(
      sql`select tenant_id, connection_id, live, status from callbacks.connections_of_account(${receiver.name}, ${provider}, ${item.account})`,
    );
    const own = found.find(({ live }) => item.live === null || item.live === live);
    if (own !== undefined)
      return {
        tenant: own.tenant_id,
        connectionId: own.connection_id,
        status: own.status === 'paused' ? 'held' : 'waiting',
      };
  }
  return { tenant: nobody, connectionId: null, status: 'unclaimed' };
}

interface Conflict {
  readonly owner: Owner;
  readonly receiver: Receiver;
  readonly provider: string;
  readonly item: Item;
  readonly digest: Buffer;
  /** The delivery that was taken under the id. */
  readonly first: string;
}

/** Somebody has the secret, or the provider is at fault: people must know. */
async function alarm(deps: IntakeDeps, { owner, receiver, provider, item, digest, first }: Conflict): Promise<void> {
  deps.log.error(
    { receiver: receiver.name, provider, delivery: first },
    'another body came under the id of a delivery that was taken before: it was kept and not carried out',
  );
  if (owner.tenant === nobody) return;
  await deps
    .contextOf(owner.tenant)
    .require(serveCallbacks)
    .write(async (tx) => {
      tx.record(
        event('callbacks.delivery.conflicted', {
          delivery_id: first,
          receiver: receiver.name,
          provider,
          topic: item.topic,
          ...(owner.connectionId === null ? {} : { connection_id: owner.connectionId }),
          other_body_sha256: digest.toString('hex'),
        }),
      );
    });
}

export type Receive = ReturnType<typeof createIntake>;
