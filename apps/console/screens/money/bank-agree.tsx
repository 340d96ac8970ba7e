import { useState, type ReactNode } from 'react';
import { isZero } from '../../data/money.ts';
import { useDraft } from '../../data/draft.ts';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { useAmountIn } from '../../parts/amount-in.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';
import type { BankAccount } from './bank-line.ts';
import type { Standing } from './bank-strip.tsx';
import { today } from './days.ts';
import styles from './bank.module.css';

/** Bank and books agree up to a day: its lines cannot change afterwards, until that is undone. */
export function Agree({
  account,
  onClose,
}: {
  readonly account: BankAccount;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().money;
  const bank = words.bankWords;
  const tenant = useTenant();
  const [{ to, closing, opening }, setDraft, forget] = useDraft(`${tenant} agree ${account.code}`, {
    to: account.lastLineOn ?? today(),
    closing: '',
    opening: '',
  });
  const change = (typed: object): void => setDraft({ to, closing, opening, ...typed });
  const [undoing, setUndoing] = useState(false);
  const first = account.agreedTo === null;
  const amountIn = useAmountIn();
  const [closed, opened] = [amountIn(closing), amountIn(opening)];
  // Left empty, it is what the books were opened with.
  const asked = first && opening !== '';
  const input = {
    account: account.code,
    to,
    closing: closed ?? closing,
    ...(asked ? { opening: opened ?? opening } : {}),
  };
  const ready = closed !== undefined && (!asked || opened !== undefined);
  const standing = useGraph<{ readonly reconciliation: Standing }>(
    'money-bank-standing',
    { input },
    { enabled: ready },
  );
  const agree = useAct(async () => graph(tenant, 'money-bank-agree', { input }), {
    onDone: () => {
      forget();
      onClose();
    },
  });
  const undo = useAct(
    async (reason: string) => graph(tenant, 'money-bank-agree-undo', { account: account.code, reason }),
    { onDone: onClose },
  );
  if (undoing)
    return (
      <Dialog title={bank.undoAgreed} onClose={onClose}>
        <p>{bank.undoAgreedLead}</p>
        <Form
          onSubmit={({ reason = '' }) => undo.mutate(reason)}
          error={undo.error}
          busy={undo.isPending}
          submit={bank.undoAgreed}
          onCancel={() => setUndoing(false)}
        >
          <Field label={words.reason} name="reason" autoFocus />
        </Form>
      </Dialog>
    );
  return (
    <Dialog title={bank.agree} onClose={onClose}>
      <p>{bank.agreeLead}</p>
      <Form
        onSubmit={() => agree.mutate(undefined)}
        error={agree.error}
        onProposed={forget}
        busy={agree.isPending}
        submit={bank.agree}
        onCancel={onClose}
      >
        <Field
          label={bank.upTo}
          name="to"
          pointer="/input/to"
          kind="date"
          value={to}
          onChange={(typed) => change({ to: typed })}
        />
        <Field
          label={bank.closing}
          name="closing"
          pointer="/input/closing"
          kind="amount"
          hint={bank.closingHint}
          value={closing}
          onChange={(typed) => change({ closing: typed })}
          autoFocus
        />
        {first ? (
          <Field
            label={bank.opening}
            name="opening"
            pointer="/input/opening"
            kind="amount"
            optional
            hint={bank.openingHint}
            value={opening}
            onChange={(typed) => change({ opening: typed })}
          />
        ) : null}
        {ready ? (
          <Loaded query={standing} lines={3}>
            {({ reconciliation }) => (
              <>
                <Facts
                  of={[
                    [bank.opening, <Money key="opening" of={reconciliation.opening} />],
                    [bank.books, <Money key="books" of={reconciliation.bookBalance} />],
                    [bank.outstanding, <Money key="outstanding" of={reconciliation.outstanding} />],
                    [bank.difference, <Money key="difference" of={reconciliation.difference} />],
                    [bank.unexplained, String(reconciliation.unmatchedLines)],
                  ]}
                />
                <p className={styles['soft']}>
                  {isZero(reconciliation.difference.amount) && reconciliation.unmatchedLines === 0
                    ? bank.agrees
                    : bank.agreesNot}
                </p>
              </>
            )}
          </Loaded>
        ) : null}
      </Form>
      {first ? null : (
        <div>
          <Button onClick={() => setUndoing(true)}>{bank.undoAgreed}</Button>
        </div>
      )}
    </Dialog>
  );
}
