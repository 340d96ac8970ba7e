import { useState, type ReactNode } from 'react';
import { graph } from '../../data/graph.ts';
import { useMay, useOrganization, useTenant } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { PrintedFields, usePrinted } from '../../parts/printed.tsx';
import { Said } from '../../parts/said.tsx';
import { type Language, languages, useWords } from '../../words/language.ts';

interface Seller {
  readonly name: string | null;
  readonly address: string | null;
  readonly vatNumber: string | null;
  readonly registration: string | null;
  readonly paymentDetails: string | null;
  readonly language: Language;
}

/** Who sells, on the invoices of the organization. */
export function SellerDetails(): ReactNode {
  const { settings: words, parts } = useWords();
  const tenant = useTenant();
  const organization = useOrganization();
  const printed = usePrinted();
  const may = useMay('owner', 'admin', 'accountant');
  const [changing, setChanging] = useState(false);
  const query = useGraph<{ readonly seller: Seller }>('seller', {});
  const close = (): void => setChanging(false);
  const change = useAct(async (of: Readonly<Record<string, string | null>>) => graph(tenant, 'seller-update', of), {
    onDone: close,
  });
  return (
    <Section
      title={words.onInvoices}
      actions={may ? <Button onClick={() => setChanging(true)}>{words.changeSeller}</Button> : null}
    >
      <p>{words.onInvoicesLead}</p>
      <Loaded query={query} lines={3}>
        {({ seller }) => (
          <>
            <Facts
              of={[
                [words.sellerName, <Said key="name">{seller.name ?? organization.name}</Said>],
                [parts.address, printed({ address: seller.address, vatNumber: null })],
                [parts.vatNumber, <Said key="vat">{seller.vatNumber}</Said>],
                [words.registration, <Said key="registration">{seller.registration}</Said>],
                [words.paymentDetails, <Said key="payment">{seller.paymentDetails}</Said>],
                [words.documentLanguage, languages[seller.language]],
              ]}
            />
            {changing ? (
              <Dialog title={words.changeSeller} onClose={close}>
                <Form
                  submit={parts.save}
                  error={change.error}
                  busy={change.isPending}
                  onCancel={close}
                  onSubmit={({
                    name = null,
                    address = null,
                    vatNumber = null,
                    registration = null,
                    paymentDetails = null,
                    language = seller.language,
                  }) => change.mutate({ name, address, vatNumber, registration, paymentDetails, language })}
                >
                  <Field
                    label={words.sellerName}
                    name="name"
                    optional
                    value={seller.name ?? ''}
                    hint={words.sellerNameHint(organization.name)}
                  />
                  <PrintedFields of={seller} />
                  <Field
                    label={words.registration}
                    name="registration"
                    optional
                    value={seller.registration ?? ''}
                    hint={words.registrationHint}
                  />
                  <Field
                    label={words.paymentDetails}
                    name="paymentDetails"
                    kind="area"
                    optional
                    value={seller.paymentDetails ?? ''}
                    hint={words.paymentDetailsHint}
                  />
                  <Field
                    label={words.documentLanguage}
                    name="language"
                    value={seller.language}
                    options={Object.entries(languages)}
                    hint={words.documentLanguageHint}
                  />
                </Form>
              </Dialog>
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}
