import { parsePercentage, type Pricing } from '@steward/accounting';
import type { Row, Statement } from '@steward/sql';
import type { Address } from '../places/address.ts';
import { mostExact } from '../places/place.ts';
import type { LineTax } from '../totals/line.ts';
import { selectSettings, settingsOf, type TaxSettings } from './settings.ts';
import { countryOfVatNumber, isInUnion } from './vat-number.ts';
import { selectZones, taxZone, type TaxZone } from './zone.ts';

/** What tax is asked about. Shipping is a line like any other, with a category of its own. */
export interface TaxQuestion {
  readonly currency: string;
  /** By an id of the caller's. */
  readonly lines: readonly { readonly id: string; readonly category: string }[];
  /** Where the goods go; null while nobody knows, and then nothing is taxed. */
  readonly address: Address | null;
  readonly buyer: TaxedBuyer;
}

export interface TaxedBuyer {
  /** As the buyer wrote it; one whose form is wrong counts for nothing. */
  readonly vatNumber?: string | null | undefined;
  /** A member of the organization relieved the buyer of tax. */
  readonly exempt?: boolean | undefined;
}

export interface TaxAnswer {
  /** Whether prices in the currency contain tax. */
  readonly pricing: Pricing;
  /** Of every line, by its id. */
  readonly taxes: ReadonlyMap<string, LineTax>;
  /** Tax is asked for because the VAT number has no form of the Union: one that has would relieve the buyer. */
  readonly vatNumberUnread?: boolean | undefined;
}

/**
 * Who knows what tax is due; the built-in one reads the zones of the tenant, and others ask a service. What an engine reads travels with
 * whatever else a calculation reads.
 */
export interface TaxEngine {
  reads(tenant: string, address: Address | null): readonly Statement[];
  /** @param rows of the statements that it reads, in their order */
  taxesBy(rows: readonly (readonly Row[])[], question: TaxQuestion): TaxAnswer | Promise<TaxAnswer>;
}

/** By the tenant's own zones and settings. */
export const zoneEngine: TaxEngine = {
  reads: (tenant, address) => [
    selectSettings(tenant),
    ...(address === null
      ? []
      : [selectZones('z.country = $2 and z.archived_at is null order by z.tax_zone_id', tenant, address.country)]),
  ],
  taxesBy: ([settings, zones], question) =>
    taxesBy(settingsOf(settings?.[0]), (zones ?? []).map(taxZone.read), question),
};

/** @param zones of the address's country */
function taxesBy(
  settings: TaxSettings,
  zones: readonly TaxZone[],
  { currency, lines, address, buyer }: TaxQuestion,
): TaxAnswer {
  const zone = address === null ? undefined : mostExact(zones, address, (one) => [one]);
  const registered = couldReverseCharge(settings, address) ? registeredIn(buyer) : undefined;
  const isReversed = typeof registered === 'string' && registered !== settings.country;
  const treatment = buyer.exempt === true ? 'exempt' : isReversed ? 'reverse_charge' : 'taxed';
  const rates = new Map(zone?.rates.map((rate) => [rate.category, rate]));
  const taxOf = (category: string): LineTax => {
    const rate = rates.get(category) ?? rates.get('standard');
    if (rate === undefined || rate.taxId === null)
      return { treatment: rate === undefined ? 'none' : 'exempt', taxId: null, percentage: 0n };
    return { treatment, taxId: rate.taxId, percentage: parsePercentage(rate.percentage) ?? 0n };
  };
  return {
    pricing: settings.pricesWithoutTax.includes(currency) ? 'exclusive' : 'inclusive',
    taxes: new Map(lines.map(({ id, category }) => [id, taxOf(category)])),
    vatNumberUnread: registered === null,
  };
}

/** Goods that leave the seller's country for another one of the Union; to a business that is registered outside the seller's (Directive 2006/112/EC, article 138). */
const couldReverseCharge = ({ country, reverseCharge }: TaxSettings, address: Address | null): boolean =>
  address !== null &&
  reverseCharge &&
  country !== null &&
  isInUnion(country) &&
  isInUnion(address.country) &&
  address.country !== country;

/** By the VAT number of the buyer; undefined where none is given, null where it has no form of the Union. */
const registeredIn = ({ vatNumber }: TaxedBuyer): string | null | undefined =>
  vatNumber === null || vatNumber === undefined ? undefined : (countryOfVatNumber(vatNumber) ?? null);
