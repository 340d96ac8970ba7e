import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';

/** Countries that are sent to alike. */
export function AddZone({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const act = useAct(async (body: object) => api('commerce', '/api/shipping-zones', { tenant, body }), {
    onDone: onClose,
  });
  return (
    <Dialog title={words.addZone} onClose={onClose}>
      <Form
        submit={words.addZone}
        busy={act.isPending}
        error={act.error}
        onCancel={onClose}
        onSubmit={({ name, countries = '' }) =>
          act.mutate({
            name,
            places: [...new Set(countries.toUpperCase().match(/[A-Z]+/g))].map((country) => ({ country })),
          })
        }
      >
        <Field label={words.name} name="name" />
        <Field label={words.countries} name="countries" pointer="/places" hint={words.countriesHint} />
      </Form>
    </Dialog>
  );
}

/** A way to ship at one price, to a zone. */
export function AddOption({
  zones,
  onClose,
}: {
  readonly zones: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const { data: books } = useApi<{ readonly defaultCurrency: string }>('portal', '/api/organization');
  const act = useAct(async (body: object) => api('commerce', '/api/shipping-options', { tenant, body }), {
    onDone: onClose,
  });
  const currency = books?.defaultCurrency;
  return (
    <Dialog title={words.addOption} onClose={onClose}>
      <Form
        submit={words.addOption}
        busy={act.isPending || currency === undefined}
        error={act.error}
        onCancel={onClose}
        onSubmit={({ name, zone, amount, freeFrom }) =>
          act.mutate({ name, shippingZoneId: zone, kind: 'flat', currency, amount, freeFrom })
        }
      >
        <Field label={words.name} name="name" hint={words.optionHint} />
        <Field label={words.zone} name="zone" pointer="/shippingZoneId" options={[...zones]} />
        <Field label={`${words.price}, ${currency ?? ''}`} name="amount" kind="amount" currency={currency} />
        <Field label={words.freeFrom} name="freeFrom" kind="amount" currency={currency} optional />
      </Form>
    </Dialog>
  );
}
