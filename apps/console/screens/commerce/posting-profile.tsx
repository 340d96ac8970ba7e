import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { Button, Buttons } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import { type Account, useAccounts } from '../../data/accounts.ts';
import { AddAccount } from './account-add.tsx';

const modes = ['off', 'drafts', 'post'] as const;
const uses = ['salesAccount', 'shippingAccount', 'inventoryAccount', 'costOfSalesAccount', 'shrinkageAccount'] as const;
type Use = (typeof uses)[number];

type Profile = { readonly mode: (typeof modes)[number] } & {
  readonly [use in Use]: (Pick<Account, 'id' | 'code' | 'name'> & { readonly chosen: boolean }) | null;
};

const named = ({ code, name }: Pick<Account, 'code' | 'name'>): string => `${code} ${name}`;

/** Which accounts may be chosen; the server says it of any other. */
const fits = (use: Use, { type, control }: Account): boolean =>
  use === 'salesAccount' || use === 'shippingAccount'
    ? type === 'income'
    : use === 'inventoryAccount'
      ? type === 'asset' && (control === null || control === 'inventory')
      : type === 'expense';

/** What orders do to the books, and to which accounts. */
export function PostingProfile(): ReactNode {
  const words = useWords().selling;
  const may = useMay('owner', 'admin', 'accountant');
  const [asked, setAsked] = useState<'change' | 'account'>();
  const query = useApi<Profile>('commerce', '/api/posting-profile');
  const accounts = useAccounts();
  const close = (): void => setAsked(undefined);
  return (
    <Section
      title={words.books}
      actions={
        may && accounts.data !== undefined ? (
          <Buttons>
            <Button onClick={() => setAsked('change')}>{words.changeBooks}</Button>
            <Button onClick={() => setAsked('account')}>{words.addAccount}</Button>
          </Buttons>
        ) : null
      }
    >
      <Loaded query={query} lines={6}>
        {(of) => (
          <>
            <Facts
              of={[
                [words.bookMode, words.bookModes[of.mode]],
                ...uses.map((use) => {
                  const account = of[use];
                  return [
                    words.bookUses[use],
                    account === null ? words.noAccount : <Said key={use}>{named(account)}</Said>,
                  ] as const;
                }),
              ]}
            />
            {asked === 'change' ? <Change of={of} accounts={accounts.data ?? []} onClose={close} /> : null}
            {asked === 'account' ? <AddAccount accounts={accounts.data ?? []} onClose={close} /> : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Change({
  of,
  accounts,
  onClose,
}: {
  readonly of: Profile;
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const before: Readonly<Record<Use | 'mode', string>> = {
    mode: of.mode,
    ...(Object.fromEntries(uses.map((use) => [use, of[use]?.chosen === true ? of[use].id : ''])) as Record<
      Use,
      string
    >),
  };
  const { draft, bind, act, forget } = useChange(
    'posting profile',
    async (body: object) => api('commerce', '/api/posting-profile', { tenant, method: 'PATCH', body }),
    onClose,
    before,
  );
  const changed = (['mode', ...uses] as const).filter((name) => draft[name] !== before[name]);
  return (
    <Dialog title={words.books} onClose={onClose} wide>
      <Form
        submit={words.save}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate(
            Object.fromEntries(
              changed.map((name) => [name, name !== 'mode' && draft[name] === '' ? null : draft[name]]),
            ),
          )
        }
      >
        <Field
          label={words.bookMode}
          {...bind('mode')}
          options={modes.map((mode) => [mode, words.bookModes[mode]] as const)}
        />
        {uses.map((use) => {
          const { [use]: now } = of;
          const usual = now !== null && !now.chosen ? words.byDefaultNow(named(now)) : words.byDefault;
          return (
            <Field
              key={use}
              label={words.bookUses[use]}
              {...bind(use)}
              options={[
                ['', usual] as const,
                ...accounts.filter((one) => fits(use, one)).map((one) => [one.id, named(one)] as const),
              ]}
            />
          );
        })}
      </Form>
    </Dialog>
  );
}
