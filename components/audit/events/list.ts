import { statement, type Statement, type TenantContext } from '@steward/sql';
import type { StoredEvent } from '../appending/stored.ts';
import { readEvents } from '../policy.ts';
import { conditionsOf, isPattern, typeForm, typeRange, Values } from './conditions.ts';
import type { Filter, Page } from './filter.ts';
import { columns, eventOf, type EventRow, rowById, withPrevious } from './row.ts';
import { searchPrincipal } from '../principals/search-principal.ts';

/** The tenant's events, newest first. @throws Problem `tenant_forbidden` (403) */
export async function listEvents(context: TenantContext, filter: Filter, page: Page): Promise<StoredEvent[]> {
  const scope = context.require(readEvents);
  const rows =
    filter.principal === undefined
      ? await scope.read<EventRow>(listStatement(context.tenant, filter, page))
      : await searchPrincipal(scope, context.tenant, filter, page);
  return rows.map((row) => eventOf(context.tenant, row));
}

/** One event by its id; undefined where the tenant has none such. @throws Problem `tenant_forbidden` (403) */
export async function findEvent(context: TenantContext, id: string): Promise<StoredEvent | undefined> {
  const scope = context.require(readEvents);
  const [row] = await scope.read<EventRow>(rowById(context.tenant, id));
  return row === undefined ? undefined : eventOf(context.tenant, row);
}

/** One text for each set of filters, so that each has a plan of its own; values are never part of it. */
function listStatement(tenant: string, filter: Filter, { limit, below }: Page): Statement {
  const values = new Values();
  const { type } = filter;
  const pattern = type !== undefined && isPattern(type) ? type : undefined;
  const conditions = conditionsOf(tenant, pattern === undefined ? filter : { ...filter, type: undefined }, values);
  if (below !== undefined) conditions.push(`sequence < ${values.add(below)}`);
  const most = values.add(limit);
  const selection = pattern === undefined ? newest(conditions, most) : ofEachType(pattern, conditions, most, values);
  return statement(withPrevious(selection), values.all);
}

const newest = (conditions: readonly string[], most: string): string =>
  `select ${columns} from audit.event where ${conditions.join(' and ')} order by sequence desc limit ${most}`;

/** The newest of each type that fits a pattern: the index has them in order by type, however seldom a type is. */
function ofEachType(pattern: string, conditions: readonly string[], most: string, values: Values): string {
  const [from, before] = typeRange(pattern).map((bound) => values.add(bound));
  return `
    select e.* from audit.types_between($1, ${from}, ${before}) as t (name)
    cross join lateral (${newest([...conditions, 'type = t.name'], most)}) e
    where t.name ~ ${values.add(typeForm(pattern))}
    order by e.sequence desc limit ${most}`;
}
