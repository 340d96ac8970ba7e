import { count, field, id, line, moment, nullable, type Of, remarks, shape, text } from '@steward/contract';
import { fail, newId } from '@steward/kernel';
import { sql, statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { stockFail } from '../errors.ts';
import { event } from '../events.ts';

const postalAddress = z.strictObject({
  line1: line(200).meta({ description: 'Street and number.' }),
  line2: line(200).nullable().default(null).meta({ description: 'What follows the street, such as a floor.' }),
  city: line(100).meta({ description: 'Town or city.' }),
  region: line(100).nullable().default(null).meta({ description: 'ISO 3166-2 without the country, such as `CA`.' }),
  postcode: z
    .string()
    .regex(/^[A-Za-z0-9 -]{1,16}$/, 'Give a postcode of letters, digits, spaces and hyphens')
    .nullable()
    .default(null)
    .meta({ description: 'As on letters: `10115`, `SW1A 1AA`.' }),
});

/** A place where stock lies: of `stock.location` named `p`. */
export const location = shape('p', {
  id: id('p.location_id'),
  name: text(),
  /** Unique among the tenant's. */
  code: text(),
  /** ISO 3166. */
  country: nullable(text()),
  address: nullable(text()),
  /** Where it is, in parts: agents of buyers are told it of a pickup. */
  postalAddress: nullable(field(z.object(postalAddress.shape), `p.postal_address`)),
  /** Stock is taken from the location with the lowest number first. */
  priority: count(),
  /** Counts changes. */
  version: count(),
  /** Null: in use. */
  archivedAt: nullable(moment()),
  createdAt: moment(),
  updatedAt: moment(),
});
export type Location = Of<typeof location>;

/** Of a tenant, archived ones included: stock is looked for at each. */
export const mostLocations = 200;

export const byLocation = { locationId: z.uuid().meta({ description: 'From service_list_locations.' }) };

export const given = {
  name: line(200).meta({ description: 'Name that people use, such as `Warehouse Berlin`.' }),
  code: z
    .string()
    .max(40)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Give small letters, digits and single hyphens, such as berlin-2')
    .meta({ description: 'Short code, unique among the locations, such as `berlin-2`.' }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Give a country as its two capital letters of ISO 3166, such as DE')
    .nullable()
    .optional()
    .meta({ description: 'ISO 3166, such as `DE`.' }),
  address: remarks(1000).nullable().optional().meta({ description: 'Postal address, in lines.' }),
  postalAddress: postalAddress.nullable().optional().meta({
    description: 'The same in parts. With it and the country, pickups at the location are offered to shopping agents.',
  }),
  priority: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .meta({ description: 'Orders take stock from the location with the lowest number first. Default: last.' }),
};

/** Locations of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectLocations = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${location.columns} from stock.location p where p.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

export const noLocation = (): Error =>
  fail('not_found', 'There is no such location in this tenant: list the locations for their ids.');

/** @throws Problem `location_code_taken` (409) */
export const codeTaken = (code: string): Error =>
  stockFail('location_code_taken', `Another location has the code ${code}, perhaps an archived one: give another.`);

/** Nobody else in the tenant makes a location until the transaction ends. @throws Problem `location_limit` (409) */
async function requireRoom(tx: TenantTransaction): Promise<void> {
  const { tenant } = tx.context;
  const [, [row]] = (await tx.queryAll([
    sql`select pg_advisory_xact_lock(hashtextextended(${`stock.locations ${tenant}`}, 0))`,
    sql`select count(*)::int as made from stock.location where tenant_id = ${tenant}::uuid`,
  ])) as [unknown, { made: number }[]];
  if ((row?.made ?? 0) >= mostLocations)
    throw stockFail(
      'location_limit',
      `The tenant has ${mostLocations} locations, the most allowed, archived ones included: reuse one of them.`,
    );
}

interface NewLocation {
  readonly name: string;
  readonly code: string;
  readonly country?: string | null | undefined;
  readonly address?: string | null | undefined;
  readonly postalAddress?: Location['postalAddress'] | undefined;
  readonly priority?: number | undefined;
}

/** @throws Problem `location_limit`, `location_code_taken` (409) */
export async function makeLocation(tx: TenantTransaction, one: NewLocation): Promise<Location> {
  await requireRoom(tx);
  const [row] = await tx.query(
    statement(
      `insert into stock.location as p (tenant_id, location_id, name, code, country, address, postal_address, priority)
       values ($1::uuid, $2::uuid, $3, $4, $5, $6, $8::jsonb, coalesce($7::int, (
         select least(coalesce(max(o.priority), 0) + 1, 1000000) from stock.location o where o.tenant_id = $1::uuid)))
       on conflict (tenant_id, code) do nothing returning ${location.columns}`,
      [
        tx.context.tenant,
        newId(),
        one.name,
        one.code,
        one.country ?? null,
        one.address ?? null,
        one.priority ?? null,
        one.postalAddress == null ? null : JSON.stringify(one.postalAddress),
      ],
    ),
  );
  if (row === undefined) throw codeTaken(one.code);
  const made = location.read(row);
  tx.record(event('commerce.location.created', { location_id: made.id }));
  return made;
}

/** A location in use of which buyers can be told where it is. */
export interface Place {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly address: NonNullable<Location['postalAddress']>;
}

/** What `placesIn` is to be given the rows of. */
export const selectPlaces = (tenant: string): Statement =>
  selectLocations(
    'p.archived_at is null and p.country is not null and p.postal_address is not null order by p.priority, p.location_id',
    tenant,
  );

export const placesIn = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Place[] =>
  rows.flatMap((row) => {
    const { id: placeId, name, country, postalAddress: address } = location.read(row);
    return country === null || address === null ? [] : [{ id: placeId, name, country, address }];
  });

const inUse = (tenant: string): Statement =>
  selectLocations('p.archived_at is null order by p.location_id for key share', tenant);

/**
 * The locations in use, which nobody archives until the transaction ends; the first to take stock from first. Where a tenant has none, one
 * is made.
 */
export async function locationsInUse(tx: TenantTransaction): Promise<readonly Location[]> {
  const { tenant } = tx.context;
  const read = async (): Promise<Location[]> =>
    (await tx.query(inUse(tenant)))
      .map((row) => location.read(row))
      .toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  const found = await read();
  if (found.length > 0) return found;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`stock.locations ${tenant}`}, 0))`);
  const meanwhile = await read();
  if (meanwhile.length > 0) return meanwhile;
  const [row] = await tx.query<{ taken: number }>(
    sql`select count(*)::int as taken from stock.location where tenant_id = ${tenant}::uuid`,
  );
  const taken = row?.taken ?? 0;
  return [await makeLocation(tx, { name: 'Main', code: taken === 0 ? 'main' : `main-${taken + 1}` })];
}
