import type { QueryClient } from '@tanstack/react-query';
import {
  type ErrorComponentProps,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readAhead } from '../data/ahead.ts';
import { sessionQuery } from '../data/session.ts';
import { steppedUpPath } from '../data/step-up.ts';
import { Failure } from '../parts/failure.tsx';
import { orOutdated } from '../parts/later.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { areasOf, type Screen, screens } from '../screens/routes.ts';
import { loadArea } from '../words/language.ts';
import { Choosing } from './choosing.tsx';
import { Led } from './led.tsx';
import { Lost, LostWithin } from './lost.tsx';
import { Shell } from './shell.tsx';
import { SignedIn } from './signed-in.tsx';
import { SignedOut } from './signed-out.tsx';
import { SteppedUp } from './stepped-up.tsx';

/** A screen comes with its words. */
const loading =
  ({ path, load }: Screen): Screen['load'] =>
  async () => {
    const loaded = async () => {
      const [screen] = await Promise.all([load(), ...areasOf(path).map(loadArea)]);
      return screen;
    };
    return orOutdated(loaded);
  };

/** What the screen reads, where it says so; what cannot be loaded is told in its place. */
const ahead = (queries: QueryClient, { reads }: Screen) =>
  reads && {
    loader: async ({ params: { tenant } }: { readonly params: { readonly tenant: string } }) => {
      const readsOf = await reads().catch(() => undefined);
      if (readsOf !== undefined) await readAhead(queries, tenant, readsOf);
    },
  };

function treeOf(queries: QueryClient) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: Lost });
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: SignedIn,
    // Once, while the screen is loaded; from then on the page asks for it where it is needed.
    loader: () => void queries.prefetchQuery(sessionQuery),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const organization = createRoute({
    getParentRoute: () => signedIn,
    path: '/o/$tenant',
    component: Shell,
    notFoundComponent: LostWithin,
  });
  return root.addChildren([
    createRoute({ getParentRoute: () => root, path: steppedUpPath, component: SteppedUp }),
    createRoute({ getParentRoute: () => root, path: '/console/signed-out', component: SignedOut }),
    signedIn.addChildren([
      createRoute({ getParentRoute: () => signedIn, path: '/', component: Choosing }),
      createRoute({ getParentRoute: () => signedIn, path: '/console', component: Choosing }),
      createRoute({
        getParentRoute: () => signedIn,
        path: '/console/approvals/$id',
        component: Led,
      }),
      organization.addChildren(
        screens.map((screen) =>
          createRoute({
            getParentRoute: () => organization,
            path: screen.path,
            component: lazyRouteComponent(loading(screen)),
            ...ahead(queries, screen),
          }),
        ),
      ),
    ]),
  ]);
}

const Failed = ({ error, reset }: ErrorComponentProps): ReactNode => (
  <Failure error={error instanceof Error ? error : new Error(String(error))} again={reset} />
);

/** Search parameters are text, each as the address has it: a filter that is a number stays what was typed. */
export const createRoutes = (queries: QueryClient) =>
  createRouter({
    routeTree: treeOf(queries),
    defaultPreload: 'intent',
    defaultPendingComponent: () => <Skeleton lines={8} />,
    defaultPendingMs: 120,
    // What was loaded meanwhile is shown, however short the wait was.
    defaultPendingMinMs: 0,
    defaultErrorComponent: Failed,
    defaultNotFoundComponent: Lost,
    scrollRestoration: true,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
