import { statement, type Statement } from '@steward/sql';

/** A picture of the tenant is due in so many milliseconds: by then it has its turn. */
export const turnWithin = (tenant: string, milliseconds: number): Statement =>
  statement(
    `insert into catalogue.medium_turn as t (tenant_id, due_at) values ($1::uuid, clock_timestamp() + $2::int * interval '1 millisecond')
     on conflict (tenant_id) do update set due_at = least(t.due_at, excluded.due_at)`,
    [tenant, milliseconds],
  );
