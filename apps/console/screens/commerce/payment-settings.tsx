import { Fragment, useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Check, Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';

const methods = ['invoice', 'bank_transfer', 'cash_on_delivery'] as const;
type Method = (typeof methods)[number];

interface Settings {
  readonly captureAt: 'placement' | 'fulfilment';
  readonly manualMethods: readonly {
    readonly method: Method;
    readonly instructions: string | null;
    readonly payWithinDays: number | null;
  }[];
}

/** Digits of full width are those that a Japanese keyboard gives. */
const inAscii = (text: string): string =>
  text.replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));

/** How buyers pay beside cards: what they are offered, and what they are told to do. */
export function PaymentSettings(): ReactNode {
  const words = useWords().selling;
  const may = useMay('owner', 'admin', 'accountant', 'merchandiser');
  const [changing, setChanging] = useState(false);
  const query = useApi<Settings>('commerce', '/api/payment-settings');
  return (
    <Section
      title={words.payment}
      actions={may ? <Button onClick={() => setChanging(true)}>{words.changePayment}</Button> : null}
    >
      <Loaded query={query} lines={3}>
        {(of) => (
          <>
            <Facts
              of={[
                ...methods.map((method) => {
                  const offered = of.manualMethods.find((one) => one.method === method);
                  const said = offered === undefined ? words.notOffered : (offered.instructions ?? words.offered);
                  const days = offered?.payWithinDays ?? null;
                  return [
                    words.methods[method],
                    <Fragment key={method}>
                      <Said>{said}</Said>
                      {days === null ? null : <div>{words.paidWithin(days)}</div>}
                    </Fragment>,
                  ] as const;
                }),
                [words.captureAt, words.captureTimes[of.captureAt]],
              ]}
            />
            {changing ? <Change of={of} onClose={() => setChanging(false)} /> : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Change({ of, onClose }: { readonly of: Settings; readonly onClose: () => void }): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const { draft, setDraft, bind, act, forget } = useChange(
    'payment settings',
    async (body: object) => api('commerce', '/api/payment-settings', { tenant, method: 'PATCH', body }),
    onClose,
    {
      captureAt: of.captureAt,
      ...Object.fromEntries(of.manualMethods.map(({ method }) => [method, 'yes'])),
      ...Object.fromEntries(of.manualMethods.map(({ method, instructions }) => [`${method} text`, instructions ?? ''])),
      ...Object.fromEntries(
        of.manualMethods.map(({ method, payWithinDays }) => [`${method} days`, String(payWithinDays ?? '')]),
      ),
    },
  );
  // In the order in which buyers see them now, and then the others.
  const now: readonly Method[] = of.manualMethods.map(({ method }) => method);
  const order = [...now, ...methods.filter((one) => !now.includes(one))];
  const offered = order.filter((one) => draft[one] === 'yes');
  const given = offered.map((method) => {
    const text = draft[`${method} text`]?.trim() ?? '';
    const days = inAscii(draft[`${method} days`]?.trim() ?? '');
    return {
      method,
      instructions: text === '' ? null : text,
      // What is no number is sent as it is, so that the server says so.
      payWithinDays: days === '' || method === 'cash_on_delivery' ? null : /^\d+$/.test(days) ? Number(days) : days,
    };
  });
  return (
    <Dialog title={words.payment} onClose={onClose} wide>
      <Form
        submit={words.save}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() => act.mutate({ captureAt: draft['captureAt'], manualMethods: given })}
      >
        {order.map((method) => (
          <div key={method}>
            <Check
              label={words.methods[method]}
              name={method}
              value={draft[method] === 'yes'}
              onChange={(value) => setDraft({ ...draft, [method]: value ? 'yes' : '' })}
            />
            {draft[method] === 'yes' ? (
              <Field
                label={words.instructions(words.methods[method])}
                {...bind(`${method} text`)}
                pointer={`/manualMethods/${offered.indexOf(method)}/instructions`}
                kind="area"
                optional
                hint={words.instructionsHint}
              />
            ) : null}
            {draft[method] === 'yes' && method !== 'cash_on_delivery' ? (
              <Field
                label={words.payWithin(words.methods[method])}
                {...bind(`${method} days`)}
                pointer={`/manualMethods/${offered.indexOf(method)}/payWithinDays`}
                kind="number"
                optional
                hint={words.payWithinHint}
              />
            ) : null}
          </div>
        ))}
        <Field
          label={words.captureAt}
          {...bind('captureAt')}
          options={(['placement', 'fulfilment'] as const).map((one) => [one, words.captureTimes[one]] as const)}
        />
      </Form>
    </Dialog>
  );
}
