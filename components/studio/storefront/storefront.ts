import { createFreshCache, isId, newId, type Loaded, type Log } from '@steward/kernel';
import { sql, type MultiTenantTransaction, type Tenancy, type TenantTransaction } from '@steward/sql';
import type { Forget } from '../deps.ts';
import { normalOrigin } from '../sites/origin.ts';
import { isKeyText, keyHash, type KeyMode } from '../keys/text.ts';
import { serveStorefront } from '../permissions.ts';
import {
  activeForm,
  activeForms,
  activeVersion,
  presentSchema,
  type ServedRow,
  type FormOfSite,
  type PublishedForm,
  type PublishedSchema,
} from './published.ts';
import { createKeyUse, type KeyUse } from './use.ts';

/** A key that is good at this moment, and what it opens. */
export interface SiteKey {
  readonly tenant: string;
  readonly siteId: string;
  readonly brandId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  /** Of browsers' pages: the key's own list within its site's, else the site's. Empty: no browser. */
  readonly origins: readonly string[];
  /** What the site has its keys ask in a minute, where that is not what all keys may. */
  readonly perMinute?: number;
}

type Soon<T> = T | undefined | Promise<T | undefined>;

/** What the public storefront asks the studio. Kept for a second at most, and forgotten at once where it changed. */
export interface Storefront {
  /** The key of `X-Service-SDK-Key`; undefined for one that is mistyped, unknown, revoked, expired or of a disabled site. */
  keyOf(text: string): Soon<SiteKey>;
  /** The same where it is known at once, else undefined; asks nobody. */
  knownKey(text: string): SiteKey | undefined;
  /** For preflights, which carry no key: whether any site names this origin. */
  namesOrigin(origin: string): boolean | Promise<boolean>;
  /** Undefined: unknown, unpublished, archived or another site's; the answers are one. */
  published(key: SiteKey, formId: string): Soon<PublishedSchema>;
  activeForm(tx: TenantTransaction, siteId: string, formId: string): Promise<PublishedForm | undefined>;
  /** The same for many, of several tenants that share a transaction. */
  activeForms(
    tx: MultiTenantTransaction,
    wanted: readonly FormOfSite[],
  ): Promise<(one: FormOfSite) => PublishedForm | undefined>;
}

export interface StorefrontDesk {
  readonly storefront: Storefront;
  readonly forget: Forget;
  readonly use: KeyUse;
  /** Entries in all three memories. */
  readonly kept: () => number;
}

/** What the texts of schemas may add up to; with what is read from them, memory is a few times that. */
const schemaBytes = 16 * 1024 * 1024;
const entryBytes = 512;
const freshFor = { milliseconds: 1_000, capacity: 10_000, missing: 1_000 };

/** @param most of what a site may have its keys ask in a minute */
export function createStorefront(tenancy: Tenancy, log: Log, most: number, now?: () => number): StorefrontDesk {
  const { pool } = tenancy;
  const options = now === undefined ? freshFor : { ...freshFor, now };
  const keys = createFreshCache<SiteKey>(options);
  const origins = createFreshCache<true>(options);
  const schemas = createFreshCache<PublishedSchema>({
    ...options,
    capacity: schemaBytes,
    weigh: ({ text }) => text.length + entryBytes,
  });
  const use = createKeyUse(pool, log);

  const findKey = async (keyHashed: Buffer): Promise<Loaded<SiteKey>> => {
    const [row] = await pool.read<{
      tenant_id: string;
      site_id: string;
      brand_id: string;
      key_id: string;
      mode: KeyMode;
      origins: string[];
      lives: number | null;
      requests_per_minute: number | null;
    }>(
      sql`select tenant_id, site_id, brand_id, key_id, mode, origins, lives, requests_per_minute from studio.find_key(${keyHashed})`,
    );
    if (row === undefined) return { value: undefined };
    const key = {
      tenant: row.tenant_id,
      siteId: row.site_id,
      brandId: row.brand_id,
      keyId: row.key_id,
      mode: row.mode,
      origins: row.origins,
      ...(row.requests_per_minute === null ? {} : { perMinute: Math.min(row.requests_per_minute, most) }),
    };
    return { value: key, ...(row.lives === null ? {} : { lives: row.lives }) };
  };
  const findOrigin = async (origin: string): Promise<Loaded<true>> => {
    const [row] = await pool.read<{ named: boolean }>(sql`select studio.names_origin(${origin}) as named`);
    return { value: row?.named === true ? true : undefined };
  };
  const findSchema = async ({ tenant, siteId }: SiteKey, formId: string): Promise<Loaded<PublishedSchema>> => {
    const context = platformContext(tenancy, tenant);
    const [row] = await context.require(serveStorefront).read<ServedRow>(activeVersion(tenant, siteId, formId));
    return { value: row === undefined ? undefined : presentSchema(row) };
  };
  const noted = (key: SiteKey | undefined): SiteKey | undefined => {
    if (key !== undefined) use.note(key);
    return key;
  };
  return {
    use,
    kept: () => keys.size + origins.size + schemas.size,
    storefront: {
      keyOf: (text) => {
        // By its text: a key is in the source of every page, and its checksum costs more than everything else that a page asks for.
        const known = keys.peek(text);
        if (known !== undefined) return noted(known);
        if (!isKeyText(text)) return undefined;
        const found = keys.get(text, async () => findKey(keyHash(text)));
        return found instanceof Promise ? found.then(noted) : noted(found);
      },
      knownKey: (text) => keys.peek(text),
      namesOrigin: (origin) => {
        if (normalOrigin(origin) !== origin) return false;
        const found = origins.get(origin, async () => findOrigin(origin));
        return found instanceof Promise ? found.then((one) => one === true) : found === true;
      },
      // By site and form: what one site's key does not find says nothing of the form to another's.
      published: (key, formId) => {
        const place = `${key.siteId}${formId}`;
        const known = schemas.peek(place);
        if (known !== undefined || !isId(formId)) return known;
        return schemas.get(place, async () => findSchema(key, formId));
      },
      activeForm,
      activeForms,
    },
    forget: {
      key: (keyId) => keys.forget((key) => key.keyId === keyId),
      site: (siteId) => {
        keys.forget((key) => key.siteId === siteId);
        origins.forget(() => true);
        schemas.forget(({ form }) => form.siteId === siteId);
      },
      form: (formId) => {
        schemas.forget(({ form }) => form.formId === formId);
      },
    },
  };
}

function platformContext(tenancy: Tenancy, tenant: string) {
  const storefront = { type: 'system', id: 'storefront' } as const;
  const requestId = newId();
  return tenancy.systemContext({
    tenant,
    chain: [storefront],
    subject: storefront,
    caller: storefront,
    requestId,
    correlationId: requestId,
  });
}
