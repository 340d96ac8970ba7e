import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import styles from './settings.module.css';
import { SettingsTabs } from './tabs.tsx';

interface Billing {
  readonly tier: string;
  readonly status: string;
  readonly trialEndsAt: string | null;
  readonly graceEndsAt: string | null;
  readonly entitlements: readonly string[];
  readonly offered: readonly string[];
  readonly quotas: readonly { readonly quota: string; readonly used: number; readonly limit: number }[];
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** In the largest unit of which there is one: `10 GB`. */
function bytesText(bytes: number, locale: string): string {
  const at = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: sizes[at] ?? 'byte',
    maximumFractionDigits: 1,
  }).format(bytes / 1024 ** at);
}

/** What is paid for, what it lets the organization do, and how much of it is used up. */
export default function BillingScreen(): ReactNode {
  const { settings: words, shell } = useWords();
  const tenant = useTenant();
  const pays = useMay('owner');
  const locale = useLocale();
  const states: Readonly<Record<string, string>> = words.billingStates;
  const entitled: Readonly<Record<string, string>> = words.entitled;
  const called: Readonly<Record<string, string>> = words.quotaNames;
  const nameOf = (quota: string): string => called[quota] ?? quota;
  const amount = (quota: string, value: number): string =>
    quota.endsWith('Bytes') ? bytesText(value, locale) : new Intl.NumberFormat(locale).format(value);
  const billing = useApi<Billing>('portal', '/api/billing');
  const leave = useAct(
    async (tier: string | undefined) =>
      api<{ readonly url: string }>('portal', tier === undefined ? '/api/billing/portal' : '/api/billing/checkout', {
        tenant,
        body: tier === undefined ? {} : { tier },
      }),
    { onDone: ({ url }) => location.assign(url) },
  );
  return (
    <Page title={shell.settings} part={words.billing} lead={words.billingLead} bar={<SettingsTabs />}>
      <Loaded query={billing}>
        {({ tier, status, trialEndsAt, graceEndsAt, entitlements, offered, quotas }) => (
          <>
            <Section
              title={words.tier}
              actions={
                pays && offered.length > 0 ? (
                  <Button busy={leave.isPending} onClick={() => leave.mutate(undefined)}>
                    {words.manageBilling}
                  </Button>
                ) : null
              }
            >
              <Failure error={leave.error} />
              <Facts
                of={[
                  [
                    words.tier,
                    <Badge key="tier" tone="accent">
                      {tier}
                    </Badge>,
                  ],
                  [words.state, states[status] ?? status],
                  [words.trialEnds, trialEndsAt === null ? null : <Moment key="trial" at={trialEndsAt} />],
                  [words.graceEnds, graceEndsAt === null ? null : <Moment key="grace" at={graceEndsAt} />],
                  [words.entitlements, entitlements.map((one) => entitled[one] ?? one).join(', ')],
                ]}
              />
              {pays && offered.length > 0 ? (
                <div className={styles['row']}>
                  {offered
                    .filter((one) => one !== tier)
                    .map((one) => (
                      <Button key={one} busy={leave.isPending} onClick={() => leave.mutate(one)}>
                        {words.subscribe(one)}
                      </Button>
                    ))}
                </div>
              ) : null}
            </Section>
            {quotas.length === 0 ? null : (
              <Section title={words.quotas}>
                {quotas.map(({ quota, used, limit }) => (
                  <div key={quota} className={styles['quota']}>
                    <span>
                      {nameOf(quota)}: {amount(quota, used)} / {amount(quota, limit)}
                    </span>
                    <meter aria-label={nameOf(quota)} min={0} max={limit} high={limit * 0.9} value={used} />
                  </div>
                ))}
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
