import { authorizedFields, authorizedRoutes, createAuthorizer, lettingIn } from '@steward/access';
import type { Route } from '@steward/contract';
import { createGraph } from '@steward/graphql';
import { places, type Component, type Part, type Place, type Served } from './component.ts';
import { application, type Config } from './components.ts';
import type { Process } from './process.ts';

/** What is served at one address: the component that the address is called after first, then the others, by name. */
export interface Mountable {
  readonly place: Place;
  readonly routes: readonly Route[];
  readonly documented: readonly Route[];
  readonly registered: readonly NonNullable<Served['register']>[];
}

/** Makes every component. Nothing connects or listens yet. @param stack stops them, in the reverse order, also where a later one cannot be made */
export function make(process: Process<Config>, stack = new AsyncDisposableStack()) {
  const parts: { readonly component: Component; readonly part: Part }[] = [];
  const made = application.make(process, (component, part) => {
    parts.push({ component, part });
    process.consumers.push(...(part.consumers ?? []));
    process.receivers.push(...(part.receivers ?? []));
    if (part.closeBrand !== undefined) process.closeBrand.push(part.closeBrand);
    process.integrations.push(...(part.integrations ?? []));
    stack.defer(async () => part[Symbol.asyncDispose]?.());
  });
  process.toolCatalogue.requireBound();
  const { audit, tools, portal, identity, addresses, config, log } = made;
  const authorizer = createAuthorizer({
    operations: made.toolCatalogue.tools,
    accessProfile: portal.accessProfile,
    approvals: made.approvals.port,
    mcp: addresses.mcp,
    endpointOf: tools.endpointOf,
  });
  const door = { authorizer, recordDenied: audit.recordDenied };
  const mountableAt = (place: Place): Mountable => {
    const served = parts
      .toSorted(
        (a, b) => rank(a.component, place) - rank(b.component, place) || compare(a.component.name, b.component.name),
      )
      .flatMap(({ part }) => part.serves ?? [])
      .filter(({ at }) => at === place);
    const routes = served.flatMap(({ routes: own = [] }) => own);
    return {
      place,
      routes: authorizedRoutes(routes, door),
      documented: served.flatMap(({ documented = [] }) => documented),
      registered: served.flatMap(({ register }) => register ?? []),
    };
  };
  return {
    ...made,
    authorizer,
    parts,
    mountables: places.map(mountableAt),
    graph: createGraph({
      modules: parts.flatMap(({ part: { graph } }) => graph ?? []),
      admit: authorizedFields(door),
      graphiql: !config.production,
      log,
    }),
    member: lettingIn(identity.tenant(addresses.accounting), authorizer),
  };
}

const rank = ({ name }: Component, place: Place): number => (name === place ? 0 : 1);
const compare = (a: string, b: string): number => (a < b ? -1 : 1);

/** Every REST route by its address, for the OpenAPI document. */
export const routesOf = (mountables: readonly Mountable[]): Readonly<Record<Place, readonly Route[]>> =>
  Object.fromEntries(
    mountables.map(({ place, documented, routes }) => [place, [...documented, ...routes] as readonly Route[]]),
  ) as Record<Place, readonly Route[]>;
