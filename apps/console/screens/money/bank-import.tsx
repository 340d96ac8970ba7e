import { useState, type ReactNode } from 'react';
import { useDraft } from '../../data/draft.ts';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { textOf } from '../../data/text-file.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { Check, Field, Form } from '../../parts/form.tsx';
import { Day } from '../../parts/moment.tsx';
import { Facts } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import { useAccounts } from '../../data/accounts.ts';
import { ofMoney } from './lookups.ts';
import styles from './bank.module.css';

interface Imported {
  readonly added: number;
  readonly known: number;
  readonly doubles: number;
  readonly skippedLines: string;
  readonly skipped: readonly {
    readonly line: number;
    readonly day: string | null;
    readonly description: string;
    readonly reason: string;
  }[];
}

type Format = 'csv' | 'ofx' | 'camt053';

interface Statement {
  readonly name: string;
  readonly content: string;
  readonly format: Format;
}

/** By what is in it: banks name files as they like. */
function formatOf(content: string): Format {
  const begin = content.slice(0, 2_000);
  if (/camt\.05[23]|BkToCstmr/i.test(begin)) return 'camt053';
  return /OFXHEADER|<OFX>/i.test(begin) ? 'ofx' : 'csv';
}

/** A statement as a file; the answer says of each line that was left out why it was. */
export function ImportStatement({
  account,
  onClose,
}: {
  readonly account?: string;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().money;
  const bank = words.bankWords;
  const tenant = useTenant();
  const { data: accounts = [] } = useAccounts();
  const offered = ofMoney(accounts);
  const [into, setInto] = useState(account ?? '');
  // A login in between does not take the file along.
  const [statement, setStatement, forget] = useDraft<Statement | null>(`statement ${account ?? ''}`, null);
  /** Of which lines may still be taken. */
  const [sent, setSent] = useState<Statement | null>(null);
  const given = statement ?? sent;
  const [columns, setColumns] = useState<Readonly<Record<string, string>>>({});
  const [take, setTake] = useState<readonly number[]>([]);
  const [answer, setAnswer] = useState<Imported>();
  const chosen = into === '' ? (offered[0]?.code ?? '') : into;
  const act = useAct(
    async (takeLines: readonly number[]) => {
      const { dayFirst, decimalMark, bankAccount, ...named } = columns;
      const headings = Object.fromEntries(Object.entries(named).filter(([, heading]) => heading !== ''));
      const answered = await graph<{ readonly importBankStatement: Imported }>(tenant, 'money-bank-import', {
        account: chosen,
        content: given?.content ?? '',
        format: given?.format ?? 'csv',
        ...(Object.keys(headings).length === 0 ? {} : { columns: headings }),
        ...(dayFirst === undefined || dayFirst === '' ? {} : { dayFirst: dayFirst === 'yes' }),
        ...(decimalMark === undefined || decimalMark === '' ? {} : { decimalMark }),
        ...(bankAccount === undefined || bankAccount === '' ? {} : { bankAccount }),
        ...(takeLines.length === 0 ? {} : { takeLines }),
      });
      return answered.importBankStatement;
    },
    {
      onDone: (imported) => {
        setSent(given);
        forget();
        setAnswer(imported);
        setTake([]);
      },
    },
  );
  const column = (name: string, label: string): ReactNode => (
    <Field
      key={name}
      label={label}
      name={name}
      pointer={`/columns/${name}`}
      optional
      value={columns[name] ?? ''}
      onChange={(heading) => setColumns({ ...columns, [name]: heading })}
    />
  );
  return (
    <Dialog title={bank.import} onClose={onClose} wide>
      {answer === undefined ? (
        <Form
          onSubmit={() => act.mutate([])}
          error={act.error}
          onProposed={forget}
          busy={act.isPending}
          submit={bank.import}
          onCancel={() => {
            forget();
            onClose();
          }}
        >
          {account === undefined ? (
            <Field
              label={words.account}
              name="account"
              value={chosen}
              onChange={setInto}
              options={offered.map(({ code, name }) => [code, `${code} ${name}`] as const)}
            />
          ) : null}
          <label className={styles['file']}>
            <span>{bank.file}</span>
            <FileInput
              accept=".csv,.ofx,.qfx,.xml,.txt,text/csv,application/xml"
              onChoose={([file]) => {
                if (file === undefined) return;
                void textOf(file).then((content) =>
                  setStatement({ name: file.name, content, format: formatOf(content) }),
                );
              }}
            />
            <span className={styles['soft']}>
              {statement === null ? bank.fileHint : `${statement.name}: ${bank.fileIs(bank.formats[statement.format])}`}
            </span>
          </label>
          {statement === null ? null : (
            <details open={act.error !== null}>
              <summary>{bank.columns}</summary>
              <div className={styles['columnsOf']}>
                {statement.format === 'csv'
                  ? [
                      column('date', words.day),
                      column('amount', words.amount),
                      column('debit', words.debit),
                      column('credit', words.credit),
                      column('description', words.description),
                      column('counterparty', words.party),
                      column('reference', words.reference),
                      <Field
                        key="dayFirst"
                        label={bank.dayFirst}
                        name="dayFirst"
                        value={columns['dayFirst'] ?? ''}
                        onChange={(dayFirst) => setColumns({ ...columns, dayFirst })}
                        options={[
                          ['', bank.asInFile],
                          ['yes', '31/12'],
                          ['no', '12/31'],
                        ]}
                      />,
                      <Field
                        key="decimalMark"
                        label={bank.decimalMark}
                        name="decimalMark"
                        value={columns['decimalMark'] ?? ''}
                        onChange={(decimalMark) => setColumns({ ...columns, decimalMark })}
                        options={[
                          ['', bank.asInFile],
                          [',', '1.234,56'],
                          ['.', '1,234.56'],
                        ]}
                      />,
                    ]
                  : null}
                {column('bankAccount', bank.bankAccount)}
              </div>
            </details>
          )}
        </Form>
      ) : (
        <>
          <Facts
            of={[
              [bank.added, String(answer.added)],
              [bank.known, String(answer.known)],
              [bank.doubles, answer.doubles === 0 ? undefined : String(answer.doubles)],
            ]}
          />
          {answer.skipped.length === 0 ? null : (
            <>
              <h3>{bank.skipped}</h3>
              <Table
                label={bank.skipped}
                rows={answer.skipped}
                rowKey={({ line }) => String(line)}
                columns={[
                  { head: bank.lineNumber, align: 'end', cell: ({ line }) => line },
                  { head: words.day, cell: ({ day }) => <Day on={day} /> },
                  { head: words.description, first: true, cell: ({ description }) => <Said>{description}</Said> },
                  {
                    head: words.reason,
                    cell: ({ reason, line }) =>
                      reason === 'likely_double' ? (
                        <Check
                          name={`take${line}`}
                          label={bank.takeLine}
                          value={take.includes(line)}
                          onChange={(yes) => setTake(yes ? [...take, line] : take.filter((one) => one !== line))}
                        />
                      ) : (
                        ((bank.skipReasons as Readonly<Record<string, string>>)[reason] ?? reason)
                      ),
                  },
                ]}
              />
              <p className={styles['soft']}>{bank.skippedLines(answer.skippedLines)}</p>
            </>
          )}
          <Failure error={act.error} onProposed={forget} />
          <div className={styles['ways']}>
            {take.length === 0 ? null : (
              <Button busy={act.isPending} onClick={() => act.mutate(take)}>
                {bank.take(take.length)}
              </Button>
            )}
            <ButtonLink kind="first" to={`/money/bank/${chosen}`}>
              {bank.explain}
            </ButtonLink>
          </div>
        </>
      )}
    </Dialog>
  );
}
