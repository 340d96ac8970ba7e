import type { ReactNode } from 'react';
import { useApi, useGraph, type Paged } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Section } from '../../parts/page.tsx';
import { Go, type To } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';

const one = { query: { limit: 1 } };
const some = (found: Paged<unknown> | undefined): boolean | undefined =>
  found === undefined ? undefined : found.items.length > 0;

/** What a shop takes before it sells, each where it is done, and which of it is done. */
export function SettingUp(): ReactNode {
  const words = useWords().selling;
  const seller = useGraph<{ readonly seller: { readonly paymentDetails: string | null } }>('seller', {}).data;
  const taxes = useApi<{ readonly country: string | null }>('commerce', '/api/tax-settings').data;
  const products = useApi<Paged<unknown>>('commerce', '/api/products', { query: { limit: 1, status: 'active' } }).data;
  const shipping = useApi<Paged<unknown>>('commerce', '/api/shipping-options', one).data;
  const sites = useApi<Paged<unknown>>('studio', '/api/sites', one).data;
  const { steps } = words;
  const all: readonly (readonly [To, string, boolean | undefined])[] = [
    ['/settings', steps.seller, seller && seller.seller.paymentDetails !== null],
    ['/commerce/products', steps.product, some(products)],
    ['/commerce/shipping', steps.tax, taxes && taxes.country !== null],
    ['/commerce/shipping', steps.shipping, some(shipping)],
    ['/developers/keys', steps.site, some(sites)],
  ];
  return (
    <Section title={words.settingUp}>
      <ol className={styles['stack']}>
        {all.map(([to, step, done]) => (
          <li key={step} className={styles['row']}>
            <Go to={to}>{step}</Go>
            {done === undefined ? null : (
              <Badge tone={done ? 'held' : 'waits'}>{done ? words.stepDone : words.stepOpen}</Badge>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
