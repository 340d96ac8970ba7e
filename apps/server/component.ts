import type { Finder } from '@steward/access';
import type { Grammar } from '@steward/audit';
import type { Consumer } from '@steward/bus';
import type { Receiver } from '@steward/callbacks';
import type { Route } from '@steward/contract';
import type { AnnouncedTo } from '@steward/deliveries';
import type { GraphModule } from '@steward/graphql';
import type { Integrations } from '@steward/identity';
import type { Door, ErrorTable, Payloads, RequestHandler, Scope, Settings } from '@steward/kernel';
import type { CloseBrand, ProvisionStep } from '@steward/portal';
import type { Noun, Tool } from '@steward/tools';
import type { DerivedRows, RecordedRows } from '@steward/verification';

/** What a component is before anything of it is made: what its package exports. Documents and tests read no more than this. */
export interface Component {
  readonly name: string;
  /** Of its tables. A component refers to those of components before it alone. */
  readonly migrations?: URL;
  /** What people configure of it: variables, and what they are read into, which is put into the `config` that it is given. */
  readonly settings?: Settings;
  readonly errors?: { readonly table: ErrorTable };
  /** The schemas of its audit events: `defineEvents` makes both. */
  readonly grammar?: Grammar;
  /** What it announces on the bus. */
  readonly published?: Payloads;
  /** Who may see what it announces, by what the event says; whoever is a member, where it says nothing of that. */
  readonly announcedTo?: AnnouncedTo;
  /** Rows that verification compares with their events. */
  readonly recorded?: readonly (DerivedRows | RecordedRows)[];
  /** What ids in its commands name. */
  readonly nouns?: readonly Noun[];
  /** Of its records, those that the search over all records finds. */
  readonly finders?: readonly Finder[];
  /** It says what they run with as it is made: `catalogue.bind`. */
  readonly tools?: readonly Tool<never>[];
  /** What it gives a new tenant. */
  readonly provision?: ProvisionStep;
}

/** What a component becomes in a process, beside whatever others may call of it. Every member may be left out. */
export interface Part extends Partial<AsyncDisposable> {
  readonly serves?: readonly Served[];
  /** Whole addresses without any router, on the public listener and on the internal one. */
  readonly doors?: readonly Door[];
  readonly internalDoors?: readonly Door[];
  /** Who follow what is published. */
  readonly consumers?: readonly Consumer[];
  /** What becomes of what providers report, with the routes that they report at. */
  readonly receivers?: readonly Receiver[];
  /** Ends what it serves under a brand that is archived. */
  readonly closeBrand?: CloseBrand;
  /** What it has that gives data or entry to somebody outside: who made that is asked when they leave. */
  readonly integrations?: readonly Integrations[];
  readonly graph?: GraphModule;
  /** In front of the router: answers what is asked most without it. */
  quickly?(route: RequestHandler): RequestHandler;
  /** Begins what runs by itself. It is disposed of whether it was started or not. */
  start?(): void | Promise<void>;
}

/** The components that have an address of their own; others are served at one of these. */
export const places = ['portal', 'accounting', 'commerce', 'studio'] as const;
export type Place = (typeof places)[number];

export interface Served {
  readonly at: Place;
  readonly routes?: readonly Route[];
  /** What has no shape of a route, such as a page. */
  register?(scope: Scope): void | Promise<void>;
  /** Routes that `register` serves in its own way, for the OpenAPI document. */
  readonly documented?: readonly Route[];
}
