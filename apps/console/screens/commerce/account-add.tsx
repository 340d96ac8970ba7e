import type { ReactNode } from 'react';
import { useChange } from '../../data/change.ts';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { Problem } from '../../data/problem.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';
import type { Account } from '../../data/accounts.ts';

/** As the chart of accounts calls them in a file. */
const kinds = ['income', 'expense', 'asset', 'bank', 'liability', 'equity'] as const;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** One more account of the books. */
export function AddAccount({
  accounts,
  onClose,
}: {
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const { bind, act, forget } = useChange(
    'account',
    async ({ code, name, kind }: Readonly<Record<'code' | 'name' | 'kind', string>>) => {
      // In a file a code that is there means the account that has it, which would get the name.
      if (accounts.some((one) => one.code === code))
        throw new Problem('invalid_request', 422, words.accountThere, words.accountThere, {
          errors: [{ pointer: '/code', code: 'taken', detail: words.accountThere }],
        });
      const content = `code,name,type\n${[code, name, kind].map(quoted).join(',')}\n`;
      return graph(tenant, 'account-add', { content });
    },
    onClose,
    { kind: 'income' },
  );
  return (
    <Dialog title={words.addAccount} onClose={onClose}>
      <Form
        submit={words.addAccount}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={({ code = '', name = '', kind = '' }) => act.mutate({ code: code.trim(), name: name.trim(), kind })}
      >
        <Field label={words.accountCode} {...bind('code')} hint={words.accountCodeHint} />
        <Field label={words.name} {...bind('name')} />
        <Field
          label={words.accountKind}
          {...bind('kind')}
          options={kinds.map((kind) => [kind, words.accountKinds[kind]] as const)}
        />
      </Form>
    </Dialog>
  );
}
