import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { countryName } from '../../data/country.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { Row } from './parts.tsx';
import type { Location } from './types.ts';

/** Where stock lies, and the address of each: with it, and its country, agents of buyers are told of pickups there. */
export function Locations({ of, manages }: { readonly of: readonly Location[]; readonly manages: boolean }): ReactNode {
  const { commerce: words, parts } = useWords();
  const language = useLanguage();
  const [asked, setAsked] = useState<Location | 'new'>();
  return (
    <>
      {manages ? (
        <Row>
          <Button onClick={() => setAsked('new')}>{words.addLocation}</Button>
        </Row>
      ) : null}
      <Table
        label={words.locations}
        rows={of}
        rowKey={({ id }) => id}
        record={({ id, name }) => ({ title: name, id })}
        columns={[
          {
            head: words.location,
            first: true,
            cell: ({ name, archivedAt }) => (
              <>
                <Said>{name}</Said> {archivedAt === null ? null : <Badge>{words.productState.archived}</Badge>}
              </>
            ),
          },
          { head: words.locationCode, cell: ({ code }) => <Said>{code}</Said> },
          {
            head: words.postalAddress,
            cell: ({ postalAddress, address }) => {
              const said = postalAddress === null ? address : onLetters(postalAddress);
              return said === null ? null : <Said>{said}</Said>;
            },
          },
          {
            head: words.country,
            cell: ({ country }) => (country === null ? null : <Said>{countryName(country, language)}</Said>),
          },
          ...(manages
            ? [
                {
                  head: parts.actions,
                  cell: (one: Location) => <Button onClick={() => setAsked(one)}>{words.changeLocation}</Button>,
                },
              ]
            : []),
        ]}
      />
      {asked === undefined ? null : (
        <Change {...(asked === 'new' ? {} : { of: asked })} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

const onLetters = ({ line1, line2, postcode, city, region }: NonNullable<Location['postalAddress']>): string =>
  [line1, line2, [postcode, city].filter(Boolean).join(' '), region].filter(Boolean).join(', ');

function Change({ of, onClose }: { readonly of?: Location; readonly onClose: () => void }): ReactNode {
  const words = useWords().commerce;
  const parts = useWords().parts;
  const tenant = useTenant();
  const act = useAct(
    async (body: object) =>
      api('commerce', of === undefined ? '/api/locations' : `/api/locations/${of.id}`, {
        tenant,
        body,
        ...(of === undefined ? {} : { method: 'PATCH' }),
      }),
    { onDone: onClose },
  );
  const title = of === undefined ? words.addLocation : words.changeTheLocation;
  const at = of?.postalAddress;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={parts.save}
        busy={act.isPending}
        error={act.error}
        onCancel={onClose}
        onSubmit={({ name, code, country, ...address }) =>
          act.mutate({
            name,
            code,
            country: country?.toUpperCase() ?? null,
            // An empty address is none: one without its street is refused at the field.
            postalAddress: Object.keys(address).length === 0 ? null : address,
          })
        }
      >
        <Field label={words.locationName} name="name" value={of?.name ?? ''} />
        <Field label={words.locationCode} hint={words.locationCodeHint} name="code" value={of?.code ?? ''} />
        <Field label={words.street} name="line1" pointer="/postalAddress/line1" optional value={at?.line1 ?? ''} />
        <Field label={words.street2} name="line2" pointer="/postalAddress/line2" optional value={at?.line2 ?? ''} />
        <Field
          label={words.postcode}
          name="postcode"
          pointer="/postalAddress/postcode"
          optional
          value={at?.postcode ?? ''}
        />
        <Field
          label={words.city}
          hint={words.cityHint}
          name="city"
          pointer="/postalAddress/city"
          optional
          value={at?.city ?? ''}
        />
        <Field
          label={words.region}
          hint={words.regionHint}
          name="region"
          pointer="/postalAddress/region"
          optional
          value={at?.region ?? ''}
        />
        <Field label={words.country} hint={words.countryHint} name="country" optional value={of?.country ?? ''} />
      </Form>
    </Dialog>
  );
}
