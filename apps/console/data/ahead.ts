import type { QueryClient } from '@tanstack/react-query';
import type { Read } from './queries.ts';
import { organizationsQuery, sessionQuery, type Role } from './session.ts';

/** All that a screen reads as it appears. */
export type ReadsOf = (tenant: string, role: Role, person: string) => readonly Read[];

/** Milliseconds until the page is drawn while nobody has said who is here. */
const unknown = 2_000;
/** Milliseconds that a screen waits for what it reads, to be drawn once and whole; after that it holds places for it. */
const patience = 100;

/** Asks for what a screen reads before the screen does, which only knows that once it is drawn. */
export async function readAhead(queries: QueryClient, tenant: string, readsOf: ReadsOf): Promise<void> {
  await within(unknown, queries.ensureQueryData(sessionQuery));
  const role = queries.getQueryData(organizationsQuery.queryKey)?.find(({ id }) => id === tenant)?.role;
  const person = queries.getQueryData(sessionQuery.queryKey)?.person.id;
  if (role === undefined || person === undefined) return;
  await within(
    patience,
    Promise.all(readsOf(tenant, role, person).map(async (one) => queries.ensureQueryData(one(tenant)))),
  );
}

/** What is refused is told by the part of the screen that shows it. */
const within = async (milliseconds: number, read: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    read.catch(() => undefined),
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
  ]);
