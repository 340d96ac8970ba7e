import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, Buttons } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Day } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import { SettingsTabs } from './tabs.tsx';

interface Brand {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly createdAt: string;
  readonly links: Readonly<Partial<Record<Linked, string>>>;
}

/** Pages that buyers are led to before they buy. */
const linked = ['terms', 'privacy', 'returns', 'shipping', 'faq'] as const;
type Linked = (typeof linked)[number];

type Asking = { readonly what: 'add' } | { readonly what: 'change' | 'archive'; readonly of: Brand };

/** The names that the organization sells under. */
export default function Brands(): ReactNode {
  const { settings: words, shell, parts } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin', 'merchandiser');
  const pages = usePages<Brand>('portal', '/api/brands');
  const [asking, setAsking] = useState<Asking>();
  const close = (): void => setAsking(undefined);
  const save = useAct(
    async ({ id, ...body }: { readonly id?: string; readonly name: string; readonly links?: object }) =>
      api('portal', id === undefined ? '/api/brands' : `/api/brands/${id}`, {
        tenant,
        method: id === undefined ? 'POST' : 'PATCH',
        body,
      }),
    { onDone: close },
  );
  const archive = useAct(async ({ id }: Brand) => api('portal', `/api/brands/${id}`, { tenant, method: 'DELETE' }));
  const add = (
    <Button kind="first" onClick={() => setAsking({ what: 'add' })}>
      {words.addBrand}
    </Button>
  );
  return (
    <Page
      title={shell.settings}
      part={words.brands}
      lead={words.brandsLead}
      bar={<SettingsTabs />}
      actions={may ? add : undefined}
    >
      <CursorList pages={pages} empty={<Empty title={words.noBrands} prompt={words.noBrandsPrompt} />}>
        {(items) => (
          <Table
            label={words.brands}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, name }) => ({ title: name, id, place: 'portal', path: '/api/brands' })}
            columns={[
              {
                head: words.name,
                cell: ({ name, isDefault }) => (
                  <>
                    <Said>{name}</Said> {isDefault ? <Badge>{words.default}</Badge> : null}
                  </>
                ),
              },
              { head: words.since, cell: ({ createdAt }) => <Day on={createdAt} /> },
              ...(may
                ? [
                    {
                      head: parts.actions,
                      align: 'end' as const,
                      cell: (of: Brand) => (
                        <Buttons>
                          <Button onClick={() => setAsking({ what: 'change', of })}>{words.change}</Button>
                          {of.isDefault ? null : (
                            <Button kind="danger" onClick={() => setAsking({ what: 'archive', of })}>
                              {words.archive}
                            </Button>
                          )}
                        </Buttons>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
      {asking?.what === 'add' || asking?.what === 'change' ? (
        <Dialog title={asking.what === 'add' ? words.addBrand : words.change} onClose={close}>
          <Form
            submit={parts.save}
            error={save.error}
            busy={save.isPending}
            onCancel={close}
            onSubmit={({ name = '', ...pages }) =>
              save.mutate(
                asking.what === 'add'
                  ? { name }
                  : {
                      id: asking.of.id,
                      name,
                      links: Object.fromEntries(linked.map((one) => [one, pages[one] ?? null])),
                    },
              )
            }
          >
            <Field label={words.name} name="name" value={asking.what === 'add' ? '' : asking.of.name} />
            {asking.what === 'add'
              ? null
              : linked.map((one) => (
                  <Field
                    key={one}
                    label={words.brandPage[one]}
                    name={one}
                    pointer={`/links/${one}`}
                    kind="url"
                    optional
                    hint={one === 'terms' ? words.brandPagesHint : undefined}
                    value={asking.of.links[one]}
                  />
                ))}
          </Form>
        </Dialog>
      ) : null}
      {asking?.what === 'archive' ? (
        <Confirm
          title={words.archive}
          act={archive}
          onConfirm={() => archive.mutate(asking.of, { onSuccess: close })}
          submit={words.archive}
          danger
          onClose={close}
        >
          <Said>{asking.of.name}</Said>: {words.archiveHint}
        </Confirm>
      ) : null}
    </Page>
  );
}
