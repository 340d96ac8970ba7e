import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import type { Amount } from '../../data/money.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Check, Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Tool } from '../../parts/tool.tsx';
import { useCommands, useToolTitle } from '../../parts/tool-title.ts';
import { useFilters } from '../../shell/go.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import styles from './settings.module.css';
import { SettingsTabs } from './tabs.tsx';

/** What agents may do by themselves, and what people decide: as sentences that say what holds. */
export default function PolicyScreen(): ReactNode {
  const { settings: words, shell } = useWords();
  return (
    <Page title={shell.settings} part={words.policy} lead={words.policyLead} bar={<SettingsTabs />}>
      <Approvals />
      <Tools />
      <Rules />
    </Page>
  );
}

interface ApprovalPolicy {
  readonly expiryHours: number;
  readonly fourEyesAbove: readonly Amount[];
  readonly fourEyesAboveDaily: readonly Amount[];
  readonly newPayeeFourEyes: boolean;
  readonly soleApprover: boolean;
  readonly tools: Readonly<Record<string, ToolRule>>;
  readonly version: number;
}

/** It may have limits of its own, too. */
interface ToolRule {
  readonly tier?: 'approval';
  readonly fourEyes?: boolean;
}

const Amounts = ({ of }: { readonly of: readonly Amount[] }): ReactNode =>
  of.map((amount, at) => (
    <span key={amount.currency}>
      {at > 0 ? ', ' : ''}
      <Money of={amount} />
    </span>
  ));

function Approvals(): ReactNode {
  const { settings: words } = useWords();
  const may = useMay('owner');
  const policy = useApi<ApprovalPolicy>('portal', '/api/approval-policy');
  const [changing, setChanging] = useState(false);
  return (
    <Section
      title={words.approvals}
      actions={may ? <Button onClick={() => setChanging(true)}>{words.change}</Button> : null}
    >
      <Loaded query={policy}>
        {(found) => (
          <>
            <ul className={styles['sentences']}>
              <li>
                {found.fourEyesAbove.length === 0 ? (
                  words.twoAlways
                ) : (
                  <>
                    {words.oneUpTo} <Amounts of={found.fourEyesAbove} />
                    {words.twoAbove}
                  </>
                )}
              </li>
              {found.fourEyesAboveDaily.length === 0 ? null : (
                <li>
                  {words.dailyUpTo} <Amounts of={found.fourEyesAboveDaily} />
                  {words.twoAbove}
                </li>
              )}
              <li>{found.newPayeeFourEyes ? words.newPayeeTwo : words.newPayeeOne}</li>
              <li>{found.soleApprover ? words.soleEnough : words.soleWaits}</li>
              <li>{words.expiresAfter(found.expiryHours)}</li>
              {Object.entries(found.tools).map(([tool, { tier, fourEyes }]) => (
                <li key={tool}>
                  <Tool name={tool} />{' '}
                  {fourEyes === true ? words.toolTwo : tier === 'approval' ? words.toolOne : words.toolOther}
                </li>
              ))}
            </ul>
            {changing ? <ChangeApprovals policy={found} onClose={() => setChanging(false)} /> : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function ChangeApprovals({
  policy,
  onClose,
}: {
  readonly policy: ApprovalPolicy;
  readonly onClose: () => void;
}): ReactNode {
  const { settings: words, parts } = useWords();
  const commands = useCommands();
  const titleOf = useToolTitle();
  const locale = useLocale();
  const tenant = useTenant();
  const organization = useApi<{ readonly defaultCurrency: string }>('portal', '/api/organization');
  const tools = [...new Set([...Object.keys(policy.tools), ...commands])];
  const save = useAct(
    async (body: ApprovalPolicy) => api('portal', '/api/approval-policy', { tenant, method: 'PUT', body }),
    {
      onDone: onClose,
    },
  );
  const currencies = [
    ...new Set([
      ...policy.fourEyesAbove.map(({ currency }) => currency),
      ...policy.fourEyesAboveDaily.map(({ currency }) => currency),
      ...(organization.data === undefined ? [] : [organization.data.defaultCurrency]),
    ]),
  ];
  const at = (amounts: readonly Amount[], currency: string): string | undefined =>
    amounts.find((one) => one.currency === currency)?.amount;
  return (
    <Dialog title={words.approvals} onClose={onClose}>
      <Form
        submit={parts.save}
        error={save.error}
        busy={save.isPending}
        onCancel={onClose}
        onSubmit={(values) => {
          const amounts = (name: string): Amount[] =>
            currencies.flatMap((currency) => {
              const amount = values[`${name} ${currency}`];
              return amount === undefined ? [] : [{ amount, currency }];
            });
          save.mutate({
            ...policy,
            expiryHours: Number(values['expiryHours'] ?? policy.expiryHours),
            fourEyesAbove: amounts('above'),
            fourEyesAboveDaily: amounts('daily'),
            newPayeeFourEyes: values['newPayee'] === 'on',
            soleApprover: values['sole'] === 'on',
            tools: Object.fromEntries(
              tools.flatMap((tool) => {
                const rule = ruled(policy.tools[tool] ?? {}, values[`two ${tool}`] === 'on');
                return Object.keys(rule).length === 0 ? [] : [[tool, rule]];
              }),
            ),
          });
        }}
      >
        {currencies.map((currency, index) => (
          <div key={currency} className={styles['pair']}>
            <Field
              label={`${words.aboveEach} (${currency})`}
              name={`above ${currency}`}
              pointer={`/fourEyesAbove/${index}`}
              kind="amount"
              currency={currency}
              value={at(policy.fourEyesAbove, currency)}
            />
            <Field
              label={`${words.aboveDaily} (${currency})`}
              name={`daily ${currency}`}
              pointer={`/fourEyesAboveDaily/${index}`}
              kind="amount"
              currency={currency}
              optional
              value={at(policy.fourEyesAboveDaily, currency)}
            />
          </div>
        ))}
        <Field label={words.expiryHours} name="expiryHours" kind="number" value={String(policy.expiryHours)} />
        <Check label={words.newPayeeTwo} name="newPayee" value={policy.newPayeeFourEyes} />
        <Check label={words.soleEnough} name="sole" value={policy.soleApprover} />
        <details className={styles['fold']}>
          <summary>{words.alwaysTwo}</summary>
          <div className={styles['tools']}>
            {tools
              .toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), locale))
              .map((tool) => (
                <Check
                  key={tool}
                  label={<Tool name={tool} />}
                  name={`two ${tool}`}
                  value={policy.tools[tool]?.fourEyes === true}
                />
              ))}
          </div>
        </details>
      </Form>
    </Dialog>
  );
}

/** What else is said of a tool stays. */
function ruled({ fourEyes, ...rest }: ToolRule, two: boolean): ToolRule {
  if (two) return { ...rest, fourEyes: true };
  return fourEyes === false ? { ...rest, fourEyes } : rest;
}

interface ToolPolicy {
  readonly deniedTools: readonly string[];
  readonly agentsNeedGrant: boolean;
  readonly version: number;
}

function Tools(): ReactNode {
  const { settings: words } = useWords();
  const may = useMay('owner', 'admin');
  const policy = useApi<ToolPolicy>('portal', '/api/tool-policy');
  const [changing, setChanging] = useState(false);
  return (
    <Section
      title={words.agents}
      actions={may ? <Button onClick={() => setChanging(true)}>{words.change}</Button> : null}
    >
      <Loaded query={policy}>
        {(found) => (
          <>
            <ul className={styles['sentences']}>
              <li>{found.agentsNeedGrant ? words.grantNeeded : words.grantNotNeeded}</li>
              <li>
                {found.deniedTools.length === 0 ? (
                  words.noneDenied
                ) : (
                  <>
                    {words.denied}{' '}
                    {found.deniedTools.map((tool) => (
                      <span key={tool}>
                        <code>{tool}</code>{' '}
                      </span>
                    ))}
                  </>
                )}
              </li>
            </ul>
            {changing ? <ChangeTools policy={found} onClose={() => setChanging(false)} /> : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function ChangeTools({ policy, onClose }: { readonly policy: ToolPolicy; readonly onClose: () => void }): ReactNode {
  const { settings: words, parts } = useWords();
  const tenant = useTenant();
  const save = useAct(async (body: ToolPolicy) => api('portal', '/api/tool-policy', { tenant, method: 'PUT', body }), {
    onDone: onClose,
  });
  return (
    <Dialog title={words.agents} onClose={onClose}>
      <Form
        submit={parts.save}
        error={save.error}
        busy={save.isPending}
        onCancel={onClose}
        onSubmit={(values) =>
          save.mutate({
            agentsNeedGrant: values['needGrant'] === 'on',
            deniedTools: (values['denied'] ?? '').split(/[\s,]+/).filter((one) => one !== ''),
            version: policy.version,
          })
        }
      >
        <Check label={words.grantNeeded} name="needGrant" value={policy.agentsNeedGrant} />
        <Field
          label={words.deniedTools}
          name="denied"
          pointer="/deniedTools"
          kind="area"
          optional
          hint={words.deniedHint}
          value={policy.deniedTools.join('\n')}
        />
      </Form>
    </Dialog>
  );
}

interface Rule {
  readonly id: string;
  readonly tool: string;
  readonly agentId: string | null;
  readonly upTo: Amount | null;
  readonly upToDaily: Amount | null;
  readonly validUntil: string;
  readonly createdBy: string;
  readonly revokedAt: string | null;
}

const isInForce = ({ revokedAt, validUntil }: Rule): boolean =>
  revokedAt === null && Date.parse(validUntil) > Date.now();

/** Of an address with `rule`, that one alone. */
function Rules(): ReactNode {
  const { settings: words, parts } = useWords();
  const titleOf = useToolTitle();
  const [{ rule: only }, setFilters] = useFilters();
  const tenant = useTenant();
  const sees = useMay('owner', 'admin', 'accountant');
  const pages = usePages<Rule>('portal', '/api/standing-rules');
  const [asking, setAsking] = useState<'add' | Rule>();
  const revoke = useAct(async ({ id }: Rule) =>
    api('portal', `/api/standing-rules/${id}`, { tenant, method: 'DELETE' }),
  );
  if (!sees) return null;
  const close = (): void => setAsking(undefined);
  return (
    <Section title={words.rules} actions={<Button onClick={() => setAsking('add')}>{words.addRule}</Button>}>
      <p>{words.rulesLead}</p>
      {only === undefined ? null : (
        <div>
          <Button onClick={() => setFilters({ rule: undefined })}>{words.allRules}</Button>
        </div>
      )}
      <CursorList pages={pages} empty={<Empty title={words.noRules}>{words.noRulesLead}</Empty>}>
        {(items) => (
          <Table
            label={words.rules}
            rows={only === undefined ? items : items.filter(({ id }) => id === only)}
            rowKey={({ id }) => id}
            record={({ id, tool }) => ({ title: titleOf(tool), id, place: 'portal', path: '/api/standing-rules' })}
            columns={[
              {
                head: words.agent,
                cell: ({ agentId }) => (agentId === null ? words.anyAgent : <Said>{agentId}</Said>),
              },
              { head: words.tool, cell: ({ tool }) => <Tool name={tool} /> },
              {
                head: words.upTo,
                align: 'end',
                cell: ({ upTo, upToDaily }) => (
                  <>
                    {upTo === null ? words.noLimit : <Money of={upTo} />}
                    {upToDaily === null ? null : (
                      <>
                        {' · '}
                        <Money of={upToDaily} /> {words.aDay}
                      </>
                    )}
                  </>
                ),
              },
              {
                head: words.validUntil,
                cell: (rule) =>
                  rule.revokedAt !== null ? (
                    <Badge>{words.revoked}</Badge>
                  ) : isInForce(rule) ? (
                    <Moment at={rule.validUntil} />
                  ) : (
                    <Badge>{words.expired}</Badge>
                  ),
              },
              {
                head: parts.actions,
                align: 'end',
                cell: (rule) =>
                  isInForce(rule) ? (
                    <Button kind="danger" onClick={() => setAsking(rule)}>
                      {words.revoke}
                    </Button>
                  ) : null,
              },
            ]}
          />
        )}
      </CursorList>
      {asking === 'add' ? <AddRule onClose={close} /> : null}
      {asking === undefined || asking === 'add' ? null : (
        <Confirm
          title={words.revoke}
          act={revoke}
          onConfirm={() => revoke.mutate(asking, { onSuccess: close })}
          submit={words.revoke}
          danger
          onClose={close}
        >
          {words.revokeRuleHint}
        </Confirm>
      )}
    </Section>
  );
}

function AddRule({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { settings: words } = useWords();
  const tenant = useTenant();
  const organization = useApi<{ readonly defaultCurrency: string }>('portal', '/api/organization');
  const add = useAct(async (body: object) => api('portal', '/api/standing-rules', { tenant, body }), {
    onDone: onClose,
  });
  const currency = organization.data?.defaultCurrency ?? '';
  return (
    <Dialog title={words.addRule} onClose={onClose}>
      <Form
        submit={words.addRule}
        error={add.error}
        busy={add.isPending}
        onCancel={onClose}
        onSubmit={({ tool = '', agentId, upTo, upToDaily, validUntil = '' }) =>
          add.mutate({
            tool,
            ...(agentId === undefined ? {} : { agentId }),
            ...(upTo === undefined ? {} : { upTo: { amount: upTo, currency } }),
            ...(upToDaily === undefined ? {} : { upToDaily: { amount: upToDaily, currency } }),
            validUntil: `${validUntil}T23:59:59Z`,
          })
        }
      >
        <Field label={words.tool} name="tool" hint={words.toolHint} />
        <Field label={words.agent} name="agentId" optional hint={words.agentHint} />
        <Field label={`${words.upTo} (${currency})`} name="upTo" kind="amount" currency={currency} optional />
        <Field label={`${words.upToDaily} (${currency})`} name="upToDaily" kind="amount" currency={currency} optional />
        <Field label={words.validUntil} name="validUntil" kind="date" />
      </Form>
    </Dialog>
  );
}
