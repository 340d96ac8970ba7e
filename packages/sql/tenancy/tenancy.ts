import { fail, newId, type PrincipalRef, type PublishedEvent, type RecordedEvent } from '@steward/kernel';
import type { Workload } from '../connection/fair-semaphore.ts';
import type { Row, SqlPool } from '../pool.ts';
import { sql, type Statement } from '../statement.ts';
import { inTransaction, type Transaction } from '../transaction.ts';
import { markerOf, type Wall } from '../wall/wall.ts';
import { changed, type Decision, underDecision } from './decision.ts';

/** A named right and who holds it, as `openTenant` names their role. */
export interface Permission {
  readonly name: string;
  readonly roles: ReadonlySet<string>;
  /** What is done with it takes long, and waits apart from what is answered at once. */
  readonly heavy?: true;
}

/** Who acts, in which tenant, and in which workflow. Doors make one per call; a verb sees nothing else of the door. */
export interface Admission {
  readonly tenant: string;
  /** Ordered as the audit log keeps it: the human first, then the agent acting for them. */
  readonly chain: readonly PrincipalRef[];
  /** Whose membership counts. */
  readonly subject: PrincipalRef;
  /** The authenticated caller itself, recorded as `ingestedBy`. */
  readonly caller: PrincipalRef;
  /** Of a person whose token names it: the client it was issued to. The chain names agents, so it is not said of them. */
  readonly client?: string;
  readonly requestId: string;
  readonly correlationId: string;
  /** The event that caused this call, where one did. */
  readonly causalId?: string;
  /** The action that people or a standing rule approved and that this work executes. */
  readonly action?: string;
  /** By which the caller was let in; undefined where only the role counts. */
  readonly decision?: Decision;
  /** Milliseconds. When what is done here happened, where it is told only now (ADR 32). */
  readonly happenedAt?: number | undefined;
}

export interface TenantContext extends Admission {
  /**
   * The first line of every verb: without it there is no way to the data. In each round trip the role is checked again, and whether the caller
   * was let in by what is still true.
   */
  require(permission: Permission): TenantScope;
  /**
   * Before more of something is kept that has a limit; a negative amount gives back. Throws where the limit is met.
   * @param share of the limit, which this may fill; the rest is for others
   * @param kept how much there is, where the caller has read it
   */
  spend(what: string, amount: number, share?: number, kept?: number): void;
}

export interface TenantScope {
  readonly context: TenantContext;
  /** One round trip: the tenant, the membership and the statement travel together. */
  read<T extends Row = Row>(statement: Statement): Promise<T[]>;
  readAll(statements: readonly Statement[]): Promise<Row[][]>;
  /** One transaction: what `work` changes, records and publishes happens together or not at all. */
  write<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T>;
}

export interface TenantTransaction extends Transaction {
  readonly context: TenantContext;
  /** The role the subject holds at this moment. */
  readonly role: string;
  /** Appends to the tenant's audit log at the end of the transaction; answers the event's id. */
  record(event: RecordedEvent): string;
  /** Hands an event to the bus in this transaction; answers its id. */
  publish(event: PublishedEvent): string;
  /** Shows the database that this transaction is the application's: before what its login alone may not write. */
  mark(): Promise<void>;
}

/**
 * A transaction that several tenants share, in the platform's own name. No tenant is set for its own statements, so that
 * row-level security shows and takes nothing: they are for functions that are given the tenant of each row.
 */
export interface MultiTenantTransaction extends Transaction {
  /** In whose name, and as whose visitor, something is recorded and published. */
  within(admission: Admission): Pick<TenantTransaction, 'record' | 'publish'>;
  /** The same transaction, with every statement the tenant's own, under its row-level security. */
  asTenant(admission: Admission): TenantTransaction;
}

/** An event and whose it is. */
export type Attributed<E> = E & { readonly of: Admission };

/** What components plug in; packages know neither membership nor audit. */
export interface TenancyPorts {
  readonly pool: SqlPool;
  /** Without it nothing is marked, and tables behind a wall cannot be written. */
  readonly wall?: Wall | undefined;
  /** When everything that is done through this tenancy happened, where that is not now: for whoever makes a past (ADR 32). */
  readonly happenedAt?: (() => number | undefined) | undefined;
  /** Whether a tenant may keep so much more; asked on hot paths, so it answers from what it knows. Without it: always. */
  readonly spend?: (tenant: string, what: string, amount: number, share?: number, kept?: number) => void;
  /**
   * Sets the tenant and answers one row `{ role }`: null when the subject has no access there, and `changed`, where access has changed since the
   * version `under`; no tenant is set then.
   */
  readonly openTenant: (tenant: string, subject: PrincipalRef, under: bigint | undefined) => Statement;
  /** Both write with `tx.later`, so that the end of a transaction is one round trip. */
  readonly append: (tx: TenantTransaction, events: readonly RecordedEvent[]) => Promise<void>;
  readonly publish: (tx: TenantTransaction, events: readonly PublishedEvent[]) => Promise<void>;
  /** The same for transactions that tenants share; without it there are none. */
  readonly together?: {
    append(tx: Transaction, events: readonly Attributed<RecordedEvent>[]): void;
    publish(tx: Transaction, events: readonly Attributed<PublishedEvent>[]): void;
  };
}

interface Plugged extends TenancyPorts {
  readonly wrote: (tenant: string) => void;
}

export interface Tenancy {
  readonly pool: SqlPool;
  /** As of a context, for what tenants share. */
  spend(tenant: string, what: string, amount: number, share?: number, kept?: number): void;
  context(admission: Admission): TenantContext;
  /** Calls `then` after each transaction of a tenant here that may have written; not after those that tenants share. It must not throw. */
  onWrite(then: (tenant: string) => void): void;
  /** For the platform's own work on one tenant (signup, jobs): no membership is asked. */
  systemContext(admission: Admission): TenantContext;
  /**
   * One transaction for several tenants, whose one commit costs each of them a part. What keeps one of them waiting keeps
   * all, so it waits for a lock a second at most (55P03).
   */
  multiTenantTransaction<T>(permission: Permission, work: (tx: MultiTenantTransaction) => Promise<T>): Promise<T>;
}

export function createTenancy(given: TenancyPorts): Tenancy {
  const listeners: ((tenant: string) => void)[] = [];
  const ports: Plugged = {
    ...given,
    wrote: (tenant) => {
      for (const then of listeners) then(tenant);
    },
  };
  return {
    pool: ports.pool,
    onWrite: (then) => listeners.push(then),
    spend: (tenant, what, amount, share, kept) => ports.spend?.(tenant, what, amount, share, kept),
    context: (admission) => contextOf(ports, admission, entering(ports, admission)),
    systemContext: (admission) => contextOf(ports, admission, ofPlatform(admission.tenant), 'platform'),
    multiTenantTransaction: async (permission, work) => multiTenantTransaction(ports, permission, work),
  };
}

const impatient = sql`select set_config('lock_timeout', '1s', true)`;

async function multiTenantTransaction<T>(
  ports: Plugged,
  permission: Permission,
  work: (tx: MultiTenantTransaction) => Promise<T>,
): Promise<T> {
  const { pool, together } = ports;
  if (together === undefined) throw new Error('nothing was plugged in that tenants could share');
  const role = roleHeld([{ role: 'platform' }], permission);
  const enclosed = async (plain: Transaction): Promise<T> => {
    const recorded: Attributed<RecordedEvent>[] = [];
    const published: Attributed<PublishedEvent>[] = [];
    let inside: string | undefined;
    /** Which tenant is set changes with the statement that needs it, so a tenant without statements costs nothing. */
    const move = (to: string | undefined): void => {
      if (to !== inside) plain.later(to === undefined ? leaveTenant : setTenant(to));
      inside = to;
    };
    const inTenant = (to: string | undefined): Transaction => ({
      ...plain,
      query: async (one) => {
        move(to);
        return plain.query(one);
      },
      queryAll: async (statements) => {
        move(to);
        return plain.queryAll(statements);
      },
      later: (one) => {
        move(to);
        plain.later(one);
      },
    });
    const within: MultiTenantTransaction['within'] = (admission) => {
      const of = { ...admission, ...happening(ports, admission) };
      return {
        record: (event) => push(recorded, { ...event, of }),
        publish: (event) => push(published, { ...event, of }),
      };
    };
    const asTenant: MultiTenantTransaction['asTenant'] = (admission) => {
      const { tenant } = admission;
      const own = inTenant(tenant);
      return {
        ...own,
        ...within(admission),
        mark: markerOf(ports.wall, own),
        context: contextOf(ports, admission, ofPlatform(tenant), role),
        role,
      };
    };
    const own = inTenant(undefined);
    const result = await work({ ...own, within, asTenant });
    if (published.length > 0) together.publish(own, published);
    // Last, so that the tenants' heads are locked only for the commit.
    if (recorded.length > 0) together.append(own, recorded);
    return result;
  };
  return inTransaction(pool, [impatient, ...setHappened(ports.happenedAt?.())], enclosed, { unseen: true });
}

const leaveTenant = sql`select set_config('app.tenant_id', '', true)`;

const setTenant = (tenant: string): Statement =>
  sql`select set_config('app.tenant_id', ${tenant}, true), 'platform' as role`;

/** SQL: when what is done now happened; the same is the default of columns that say so. */
export const happened = `coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp())`;

const setHappened = (at: number | undefined): Statement[] =>
  at === undefined ? [] : [sql`select set_config('app.happened_at', ${new Date(at).toISOString()}, true)`];

/** The statement that opens the tenant, under a decision where one was made. */
type Opening = (under: bigint | undefined) => Statement;

const ofPlatform = (tenant: string): Opening => {
  const open = setTenant(tenant);
  return () => open;
};

/** Made at once for a tenant that is no id, so that it is refused where the context is made. */
function entering({ openTenant }: TenancyPorts, { tenant, subject }: Admission): Opening {
  openTenant(tenant, subject, undefined);
  return (under) => openTenant(tenant, subject, under);
}

/** Undoes a transaction that has done nothing yet. */
class Changed extends Error {
  override readonly name = 'Changed';
}

/** `known`: the role, where the database need not be asked for it. */
function contextOf(ports: Plugged, admission: Admission, opening: Opening, known?: string): TenantContext {
  const light: Workload = { tenant: admission.tenant };
  const workloadOf = ({ heavy }: Permission): Workload => (heavy === true ? { ...light, heavy } : light);
  const readAll = async (permission: Permission, statements: readonly Statement[]): Promise<Row[][]> =>
    underDecision(admission.decision, async (under) => {
      const [opened, ...rows] = await ports.pool.readAll([opening(under), ...statements], workloadOf(permission));
      if (isChanged(opened)) return undefined;
      roleHeld(opened, permission);
      return rows;
    });
  const context: TenantContext = {
    ...admission,
    ...happening(ports, admission),
    spend: (what, amount, share, kept) => ports.spend?.(admission.tenant, what, amount, share, kept),
    require: (permission) => ({
      context,
      read: async <T extends Row>(one: Statement) => ((await readAll(permission, [one]))[0] ?? []) as T[],
      readAll: async (statements) => readAll(permission, statements),
      write: async (work) => {
        const held = known === undefined ? undefined : roleHeld([{ role: known }], permission);
        const enclosed = async (plain: Transaction, [opened]: Row[][]) => {
          if (isChanged(opened)) throw new Changed();
          const recorded: RecordedEvent[] = [];
          const published: PublishedEvent[] = [];
          const tx: TenantTransaction = {
            ...plain,
            context,
            role: held ?? roleHeld(opened, permission),
            record: (event) => push(recorded, event),
            publish: (event) => push(published, event),
            mark: markerOf(ports.wall, plain),
          };
          const result = await work(tx);
          if (published.length > 0) await ports.publish(tx, published);
          // Last, so that the tenant's head is locked only for the commit.
          if (recorded.length > 0) await ports.append(tx, recorded);
          return { result };
        };
        const { result } = await underDecision(admission.decision, async (under) =>
          inTransaction(ports.pool, [opening(under), ...setHappened(context.happenedAt)], enclosed, {
            unseen: held !== undefined,
            workload: workloadOf(permission),
          }).catch((error: unknown) => {
            if (error instanceof Changed) return undefined;
            throw error;
          }),
        ).finally(() => ports.wrote(admission.tenant));
        return result;
      },
    }),
  };
  return context;
}

const happening = ({ happenedAt }: TenancyPorts, admission: Admission): Pick<Admission, 'happenedAt'> => {
  const at = admission.happenedAt ?? happenedAt?.();
  return at === undefined ? {} : { happenedAt: at };
};

const isChanged = (opened: Row[] | undefined): boolean => opened?.[0]?.['role'] === changed;

function push<T extends { readonly id?: string }>(events: T[], event: T): string {
  const id = event.id ?? newId();
  events.push({ ...event, id });
  return id;
}

function roleHeld(opened: Row[] | undefined, permission: Permission): string {
  const role = opened?.[0]?.['role'] as string | null | undefined;
  if (role === null || role === undefined) {
    throw fail('tenant_forbidden', 'You are not a member of this tenant, or there is no such tenant.');
  }
  if (!permission.roles.has(role)) {
    throw fail('insufficient_role', `The role ${role} does not permit ${permission.name}.`);
  }
  return role;
}
