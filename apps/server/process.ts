import { readFileSync } from 'node:fs';
import { createDecider, toolOf } from '@steward/access';
import type { Approvals, ApprovalsSettings } from '@steward/approvals';
import * as accounting from '@steward/accounting';
import type { Archive } from '@steward/archive';
import type { Audit } from '@steward/audit';
import type { Bus, Consumer } from '@steward/bus';
import type { AgentRequests, Deliveries } from '@steward/deliveries';
import type { Receiver } from '@steward/callbacks';
import { openTenant, type IdentitySettings, type Integrations } from '@steward/identity';
import type { Orders } from '@steward/orders';
import {
  clientAddressReader,
  createMetrics,
  deferred,
  systemClock,
  type Addresses,
  type Log,
  type ProcessConfig,
} from '@steward/kernel';
import type { CloseBrand, Meter, Quotas } from '@steward/portal';
import { createLimiter } from '@steward/limits';
import { createTenancy, createWall, openPool, type TenancyPorts } from '@steward/sql';
import { createCatalogue } from '@steward/tools';
import type { Component } from './component.ts';
import { readiness } from './health.ts';
import { unbound } from './unbound.ts';

/** What the process itself reads of what is configured. */
type Configured = ProcessConfig & IdentitySettings & ApprovalsSettings;

export interface Plan<Config extends Configured = Configured> {
  readonly config: Config;
  readonly dataDir: string;
  readonly addresses: Addresses;
  readonly internalUrl: string;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly stateKey: Uint8Array;
  /** Whether the process was asked to stop. */
  readonly leaving: () => boolean;
  /** What a tier lets a tenant keep; the product's own numbers where it is left out. */
  readonly quotasOf?: (tier: string) => Quotas;
  /** When what is done here happened, where that is not now: of a process that makes a past, in which nothing runs by itself (ADR 32). */
  readonly happenedAt?: () => number | undefined;
}

export type Process<Config extends Configured = Configured> = ReturnType<typeof openProcess<Config>>;

/** Of the product: that of the root package. */
export const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** What a process gives each of its components. Nothing connects or listens yet. */
export function openProcess<Config extends Configured>(plan: Plan<Config>, components: readonly Component[]) {
  const { config, addresses, log, databaseUrl: url, stateKey: secret } = plan;
  const metrics = createMetrics();
  const onError = (error: Error): void => log.warn({ because: error.message }, 'idle database connection lost');
  const sizes = poolSizes(config.databasePool);
  const pool = openPool({ url, size: sizes.requests, onError });
  const following = openPool({ url, size: sizes.following, onError });
  const probe = openPool({ url, size: 1, statementMilliseconds: 2_000, lasting: true, onError });
  const limiter = createLimiter({ url: config.limitsUrl, pool, log, metrics });
  /** Made of what is here, and used by it: each gives itself as it is made. */
  const awaited = {
    audit: deferred<Pick<Audit, 'append' | 'appendTogether'>>('the audit log'),
    archive: deferred<Pick<Archive, 'sign'>>('the archive'),
    bus: deferred<Bus>('the bus'),
    meter: deferred<Pick<Meter, 'spend'>>('the meter'),
    approvals:
      deferred<
        Pick<
          Approvals,
          'endRules' | 'names' | 'refusedAlone' | 'requireOutflow' | 'requirePeople' | 'withdrawAll' | 'writeEmail'
        >
      >('approvals'),
    orders: deferred<Pick<Orders, 'writeLetter'>>('orders'),
    deliveries: deferred<Pick<Deliveries, 'writeLetter'>>('deliveries'),
    agents: deferred<AgentRequests>('agentic commerce'),
  };
  const ports: Omit<TenancyPorts, 'pool'> = {
    openTenant,
    happenedAt: plan.happenedAt,
    wall: createWall(secret),
    spend: (...asked) => awaited.meter.given.spend(...asked),
    append: async (tx, events) => {
      const tool = toolOf(tx.context);
      await awaited.approvals.given.requirePeople(tx, events, tool);
      const decided = await awaited.approvals.given.requireOutflow(tx, events, tool);
      return awaited.audit.given.append(tx, [...events, ...decided]);
    },
    publish: async (tx, events) => awaited.bus.given.publish(tx, events),
    together: {
      append: (tx, events) => {
        if (events.some(({ type }) => type === accounting.posted))
          throw new TypeError('an entry is posted in a transaction of its tenant alone, where what it takes is judged');
        awaited.audit.given.appendTogether(tx, events);
      },
      publish: (tx, events) => awaited.bus.given.publishTogether(tx, events),
    },
  };
  return {
    ...plan,
    secret,
    version,
    clock: systemClock,
    metrics,
    pool,
    limiter,
    tenancy: createTenancy({ pool, ...ports }),
    /** Apart, so that no request waits for a connection that a slow handler holds. */
    following: createTenancy({ pool: following, ...ports }),
    awaited,
    ready: readiness({ pool: probe, bus: awaited.bus, leaving: plan.leaving }),
    clientAddress: clientAddressReader(config.trustedProxies),
    issuers: issuersOf(config, addresses),
    decider: createDecider({ ...config, clock: systemClock, portal: addresses.portal }),
    toolCatalogue: createCatalogue(components.flatMap(({ tools = [] }) => tools)),
    /** The types of all events that some component announces, and who may see them. */
    announced: new Map(
      components.flatMap(({ published = {}, announcedTo }) =>
        Object.keys(published).map((type) => [type, announcedTo] as const),
      ),
    ),
    grammars: components.flatMap(({ grammar }) => grammar ?? []),
    finders: components.flatMap(({ finders = [] }) => finders),
    nouns: components.flatMap(({ nouns = [] }) => nouns),
    steps: components.flatMap(({ provision }) => provision ?? []),
    unbound,
    /** Of the components, as they are made. */
    consumers: [] as Consumer[],
    receivers: [] as Receiver[],
    closeBrand: [] as CloseBrand[],
    integrations: [] as Integrations[],
    [Symbol.asyncDispose]: async () => {
      await limiter.stop();
      await Promise.all([following, pool, probe].map(async (one) => one.close()));
    },
  };
}

/** How a process divides its connections: one is for readiness, and no more than 12 follow events. */
function poolSizes(all: number): { readonly requests: number; readonly following: number } {
  const following = Math.min(12, Math.floor((all - 1) / 2));
  return { following, requests: all - 1 - following };
}

const issuersOf = (config: IdentitySettings, addresses: Addresses): string[] =>
  config.issuers.length > 0 ? config.issuers.map(({ issuer }) => issuer) : [addresses.issuer];
