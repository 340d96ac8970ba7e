import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { countryName } from '../../data/country.ts';
import { type Amount, percentText } from '../../data/money.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, Buttons } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useLanguage, useLocale, useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { CommerceTabs } from './parts.tsx';
import { PaymentSettings } from './payment-settings.tsx';
import { PostingProfile } from './posting-profile.tsx';
import { AddOption, AddZone } from './shipping-add.tsx';
import { AddTaxZone } from './tax-zone-add.tsx';

interface ShippingZone {
  readonly id: string;
  readonly name: string;
  readonly places: readonly { readonly country: string; readonly region: string | null }[];
}

interface ShippingOption {
  readonly id: string;
  readonly shippingZoneId: string | null;
  readonly name: string;
  readonly kind: 'flat' | 'by_weight' | 'by_price' | 'pickup';
  readonly amount: Amount | null;
  readonly freeFrom: Amount | null;
  readonly minDays: number | null;
  readonly maxDays: number | null;
  readonly active: boolean;
}

interface TaxZone {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly region: string | null;
  readonly rates: readonly { readonly category: string; readonly percentage: string }[];
}

interface TaxSettings {
  readonly country: string | null;
  readonly pricesWithoutTax: readonly string[];
  readonly reverseCharge: boolean;
}

/** Where is sent and what for; where which tax is asked. */
export default function Shipping(): ReactNode {
  const words = useWords().selling;
  const locale = useLocale();
  const manages = useMay('owner', 'admin', 'merchandiser');
  const [adding, setAdding] = useState<'zone' | 'option' | 'tax'>();
  const taxing = useMay('owner', 'admin', 'accountant');
  const zones = usePages<ShippingZone>('commerce', '/api/shipping-zones');
  const taxes = usePages<TaxZone>('commerce', '/api/tax-zones');
  const settings = useApi<TaxSettings>('commerce', '/api/tax-settings');
  const language = useLanguage();
  const placeName = ({ country, region }: { readonly country: string; readonly region: string | null }): string =>
    [countryName(country, language), ...(region === null ? [] : [region])].join(', ');
  const names = new Map(zones.data?.pages.flatMap(({ items }) => items).map(({ id, name }) => [id, name]));
  return (
    <Page title={words.shippingAndTax} bar={<CommerceTabs />}>
      {adding === 'zone' ? <AddZone onClose={() => setAdding(undefined)} /> : null}
      {adding === 'option' ? <AddOption zones={names} onClose={() => setAdding(undefined)} /> : null}
      {adding === 'tax' ? <AddTaxZone onClose={() => setAdding(undefined)} /> : null}
      <Section
        title={words.options}
        actions={
          manages && names.size > 0 ? <Button onClick={() => setAdding('option')}>{words.addOption}</Button> : null
        }
      >
        <Options zones={names} />
      </Section>
      <div className={styles['pair']}>
        <Section
          title={words.shippingZones}
          actions={manages ? <Button onClick={() => setAdding('zone')}>{words.addZone}</Button> : null}
        >
          <CursorList pages={zones} empty={<Empty title={words.noZones} prompt={words.noZonesPrompt} />}>
            {(items) => (
              <Facts
                of={items.map(({ id, name, places }) => [
                  name,
                  <Said key={id}>{places.map(placeName).join(' · ')}</Said>,
                ])}
              />
            )}
          </CursorList>
        </Section>
        <Section
          title={words.taxZones}
          actions={taxing ? <Button onClick={() => setAdding('tax')}>{words.addTaxZone}</Button> : null}
        >
          <CursorList pages={taxes} empty={<Empty title={words.noTaxZones} prompt={words.noTaxZonesPrompt} />}>
            {(items) => (
              <Facts
                of={items.map(({ id, name, country, region, rates }) => [
                  name,
                  <span key={id}>
                    <Said>{placeName({ country, region })}</Said>{' '}
                    <span className={styles['soft']}>
                      <Said>
                        {rates
                          .map(({ category, percentage }) => `${category} ${percentText(percentage, locale)}`)
                          .join(', ')}
                      </Said>
                    </span>
                  </span>,
                ])}
              />
            )}
          </CursorList>
          <Loaded query={settings}>
            {({ country, pricesWithoutTax, reverseCharge }) => (
              <Facts
                of={[
                  [
                    words.homeCountry,
                    <Said key="country">{country === null ? null : countryName(country, language)}</Said>,
                  ],
                  [
                    words.withoutTax,
                    pricesWithoutTax.length === 0 ? undefined : <Said key="w">{pricesWithoutTax.join(', ')}</Said>,
                  ],
                  // Without a country of its own nothing is sold across a border.
                  [words.reverseCharge, reverseCharge && country !== null ? words.yes : words.no],
                ]}
              />
            )}
          </Loaded>
        </Section>
      </div>
      <PaymentSettings />
      <PostingProfile />
    </Page>
  );
}

function Options({ zones }: { readonly zones: ReadonlyMap<string, string> }): ReactNode {
  const { selling: words, parts } = useWords();
  const tenant = useTenant();
  const manages = useMay('owner', 'admin', 'merchandiser');
  const [changed, setChanged] = useState<ShippingOption>();
  const pages = usePages<ShippingOption>('commerce', '/api/shipping-options');
  const act = useAct(
    async ({ id, body }: { readonly id: string; readonly body: object }) =>
      api('commerce', `/api/shipping-options/${id}`, { tenant, method: 'PATCH', body }),
    { onDone: () => setChanged(undefined) },
  );
  return (
    <>
      {changed === undefined ? null : (
        <Dialog title={changed.name} onClose={() => setChanged(undefined)}>
          <Form
            submit={words.save}
            busy={act.isPending}
            error={act.error}
            onCancel={() => setChanged(undefined)}
            onSubmit={({ name, amount, freeFrom }) =>
              act.mutate({
                id: changed.id,
                body: { name, ...(changed.kind === 'flat' ? { amount } : {}), freeFrom: freeFrom ?? null },
              })
            }
          >
            <Field label={words.name} name="name" value={changed.name} />
            {changed.kind === 'flat' ? (
              <Field
                label={`${words.price}, ${changed.amount?.currency ?? ''}`}
                name="amount"
                kind="amount"
                currency={changed.amount?.currency}
                value={changed.amount?.amount}
              />
            ) : null}
            <Field
              label={words.freeFrom}
              name="freeFrom"
              kind="amount"
              currency={changed.freeFrom?.currency ?? changed.amount?.currency}
              optional
              value={changed.freeFrom?.amount}
            />
          </Form>
        </Dialog>
      )}
      <CursorList pages={pages} empty={<Empty title={words.noOptions} prompt={words.noOptionsPrompt} />}>
        {(items) => (
          <Table
            label={words.options}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, name }) => ({ title: name, id })}
            columns={[
              { head: words.name, cell: ({ name }) => <Said>{name}</Said> },
              {
                head: words.zone,
                cell: ({ shippingZoneId }) => <Said>{zones.get(shippingZoneId ?? '') ?? words.pickup}</Said>,
              },
              {
                head: words.price,
                align: 'end',
                cell: ({ amount, kind }) => (amount === null ? words.optionKind[kind] : <Money of={amount} />),
              },
              { head: words.freeFrom, align: 'end', wide: true, cell: ({ freeFrom }) => <Money of={freeFrom} /> },
              {
                head: words.days,
                align: 'end',
                wide: true,
                cell: ({ minDays, maxDays }) =>
                  [...new Set([minDays, maxDays])].filter((one) => one !== null).join('–'),
              },
              {
                head: words.state,
                cell: ({ active }) => (
                  <Badge tone={active ? 'held' : 'plain'}>{active ? words.offered : words.notOffered}</Badge>
                ),
              },
              ...(manages
                ? [
                    {
                      head: parts.actions,
                      cell: (one: ShippingOption) => (
                        <Buttons>
                          <Button onClick={() => setChanged(one)}>{words.change}</Button>
                          <Button
                            busy={act.isPending}
                            onClick={() => act.mutate({ id: one.id, body: { active: !one.active } })}
                          >
                            {one.active ? words.turnOff : words.turnOn}
                          </Button>
                        </Buttons>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
      {changed === undefined ? <Failure error={act.error} /> : null}
    </>
  );
}
