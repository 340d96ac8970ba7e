import type { ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import { countryName } from '../../data/country.ts';
import { legible } from '../../data/legible.ts';
import { useTenant } from '../../data/organization.ts';
import { Said } from '../../parts/said.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { pagesWithin } from '../pages.ts';
import styles from './commerce.module.css';
import type { Address } from './types.ts';

export function CommerceTabs(): ReactNode {
  const words = useWords();
  return <Tabs label={words.commerce.commerce} of={pagesWithin.commerce(words)} />;
}

/** A picture of the catalogue, by this origin: the policy asks no other. */
export function Picture({
  of,
  size = 40,
}: {
  readonly of: { readonly url: string; readonly alt: string } | null | undefined;
  readonly size?: number;
}): ReactNode {
  const tenant = useTenant();
  const digest = of?.url.split('?')[0]?.split('/').at(-1);
  if (of === null || of === undefined || digest === undefined)
    return <span className={styles['blank']} style={{ width: size, height: size }} aria-hidden="true" />;
  return (
    <img
      src={addressOf('commerce', `/media/${digest}`, { tenant })}
      alt={legible(of.alt)}
      width={size}
      height={size}
      loading="lazy"
      className={styles['picture']}
    />
  );
}

export function AddressLines({ of }: { readonly of: Address }): ReactNode {
  const language = useLanguage();
  const place = [of.postcode, of.city].filter(Boolean).join(' ');
  const lines = [
    of.name,
    of.company,
    of.line1,
    of.line2,
    place,
    of.region,
    countryName(of.country, language),
    of.phone,
  ];
  return (
    <address className={styles['address']}>
      {lines
        .filter((line): line is string => line !== null && line !== '')
        .map((line, at) => (
          <span key={at}>
            <Said>{line}</Said>
          </span>
        ))}
    </address>
  );
}

/** A row of things side by side that wraps. */
export const Row = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles['row']}>{children}</div>
);
