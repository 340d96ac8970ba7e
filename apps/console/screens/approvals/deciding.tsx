import { piecesOf } from '@steward/approvals/reading';
import { dictionary } from '@steward/kernel/dictionary';
import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { Problem } from '../../data/problem.ts';
import { useSession } from '../../data/session.ts';
import { useAct, useDecision, useWantsLogin } from '../../data/step-up.ts';
import { awaitsAnother } from '../../data/to-decide.ts';
import { Button, noRepeat } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';
import type { Action } from './action.ts';
import styles from './approvals.module.css';

type Decision =
  | { readonly path: 'approve'; readonly body: { readonly previewHash: string } }
  | { readonly path: 'reject'; readonly body: { readonly reason: string } }
  | {
      readonly path: 'edit';
      readonly body: { readonly previewHash: string; readonly arguments: unknown; readonly approve: false };
    };

/** What there is to say of a decision that was not taken. */
export type Outcome =
  | 'stale'
  | 'decided'
  | 'once'
  | 'fresh'
  | 'edited'
  | 'alone'
  | 'impossible'
  | 'approved'
  | 'rejected';

const refusals = dictionary<Outcome>({
  not_pending: 'decided',
  stale_preview: 'stale',
  already_approved: 'once',
});

/** JSON in which what would not be seen is escaped: it stays the same, and whoever edits it sees it. */
const seenJson = (value: unknown): string =>
  piecesOf(JSON.stringify(value, null, 2))
    .map(({ text, hidden }) => (hidden ? escaped(String.fromCodePoint(Number.parseInt(text.slice(2), 16))) : text))
    .join('');

const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** The id of what `LoginTold` says. */
export const loginTold = 'login-told';

/** Says before a button is pressed whether it asks for a fresh login. Both texts have the place, so that nothing moves when the other one holds. */
export function LoginTold(): ReactNode {
  const { deciding } = useWords();
  const wants = useWantsLogin();
  return (
    <p className={styles['told']}>
      <span id={wants ? loginTold : undefined} data-holds={wants}>
        {deciding.loginFirst}
      </span>
      <span id={wants ? undefined : loginTold} data-holds={!wants}>
        {deciding.loginFresh}
      </span>
    </p>
  );
}

interface DecidingProps {
  readonly action: Action;
  /** False: the tool refuses it as things are now, so it can only be rejected. */
  readonly possible: boolean;
  readonly onOutcome: (was: Outcome, now?: Action, why?: string) => void;
}

/** One decision at a time, with the digest of what is on the screen. No button is the default one. */
export function Deciding({ action, possible, onOutcome }: DecidingProps): ReactNode {
  const { approvals: words, deciding } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin', 'accountant');
  const { id, previewHash } = action;
  const [reason, setReason, forgetReason] = useDraft(`reject ${id}`, '');
  const [json, setJson, forgetJson] = useDraft(`edit ${id}`, seenJson(action.arguments));
  const [fault, setFault] = useState<string>();
  const act = useAct(
    async ({ path, body }: Decision) => {
      try {
        return await api<Action>('portal', `/api/pending-actions/${id}/${path}`, { tenant, body });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const was = error.more['executable'] === false ? 'impossible' : refusals[error.code];
        if (was === undefined) throw error;
        const now = await api<Action>('portal', `/api/pending-actions/${id}`, { tenant });
        onOutcome(was, now, was === 'impossible' ? error.detail : undefined);
        return undefined;
      }
    },
    {
      onDone: (answer, { path }) => {
        if (answer === undefined) return;
        forgetReason();
        forgetJson();
        onOutcome(path === 'edit' ? 'edited' : path === 'reject' ? 'rejected' : 'approved', answer);
      },
    },
  );
  const onceLoggedIn = useDecision();
  const decide = (decision: Decision): void => onceLoggedIn(() => act.mutate(decision));
  const approved = awaitsAnother(action, useSession().person.id);
  if (!may) return <p className={styles['quiet']}>{deciding.mayNot}</p>;
  const edit = (): void => {
    try {
      const changed: unknown = JSON.parse(json);
      setFault(undefined);
      decide({ path: 'edit', body: { previewHash, arguments: changed, approve: false } });
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section className={`${styles['block']} ${styles['decide']}`} aria-labelledby="decide">
      <h2 id="decide">{words.decide}</h2>
      <p>{!possible ? deciding.impossible : approved ? deciding.outcomes.once : words.exactly}</p>
      <Failure error={act.error} />
      {possible && !approved ? (
        <div>
          <Button
            kind={action.final ? 'danger' : 'first'}
            busy={act.isPending}
            onKeyDown={noRepeat}
            aria-describedby={loginTold}
            onClick={() => decide({ path: 'approve', body: { previewHash } })}
          >
            {action.final ? deciding.approveForGood : words.approve}
          </Button>
          <LoginTold />
        </div>
      ) : null}
      <details className={styles['details']} open={!possible || reason !== ''}>
        <summary>{deciding.rejectIt}</summary>
        <div className={styles['part']}>
          <Field kind="area" name="reason" label={deciding.rejectReason} value={reason} onChange={setReason} />
          <div>
            <Button
              kind="danger"
              busy={act.isPending}
              disabled={reason.trim() === ''}
              onKeyDown={noRepeat}
              onClick={() => decide({ path: 'reject', body: { reason } })}
            >
              {words.reject}
            </Button>
          </div>
        </div>
      </details>
      {possible ? (
        <details className={styles['details']}>
          <summary>{words.changeIt}</summary>
          <div className={styles['part']}>
            <label className={styles['part']}>
              {deciding.asJson}
              <textarea
                className={styles['json']}
                rows={14}
                spellCheck={false}
                value={json}
                aria-invalid={fault === undefined ? undefined : true}
                onChange={(event) => setJson(event.target.value)}
              />
            </label>
            {fault === undefined ? null : (
              <p role="alert" className={styles['alert']}>
                {deciding.noJson} {fault}
              </p>
            )}
            <div>
              <Button busy={act.isPending} onKeyDown={noRepeat} onClick={edit}>
                {deciding.showThat}
              </Button>
            </div>
          </div>
        </details>
      ) : null}
    </section>
  );
}
