import type { ReactNode } from 'react';
import { addressOf, api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Failure } from '../../parts/failure.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import { bookkeepers } from './may.ts';
import styles from './money.module.css';

export interface File {
  readonly id: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly attachedAt: string;
}

/** The files that prove a record; their hashes are in the audit log. */
export function Files({
  kind,
  id,
  files,
}: {
  readonly kind: 'entry' | 'document' | 'payment';
  readonly id: string;
  readonly files: readonly File[];
}): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const may = useMay(...bookkeepers);
  const act = useAct(async (file: globalThis.File) =>
    api('accounting', '/api/attachments', {
      tenant,
      query: { targetKind: kind, targetId: id, fileName: file.name },
      body: file,
      headers: { 'content-type': file.type === '' ? 'application/octet-stream' : file.type },
    }),
  );
  if (!may && files.length === 0) return null;
  return (
    <Section title={words.files}>
      {files.length === 0 ? <p className={styles['soft']}>{words.filesNone}</p> : null}
      <ul className={styles['files']}>
        {files.map(({ id: file, fileName, bytes, sha256, attachedAt }) => (
          <li key={file}>
            <a href={addressOf('accounting', `/api/attachments/${file}/content`, { tenant })} download>
              <Said>{fileName}</Said>
            </a>
            <span className={styles['soft']}>{words.bytes(bytes)}</span>
            <code className={styles['soft']} title={sha256}>
              {sha256.slice(0, 12)}
            </code>
            <Moment at={attachedAt} />
          </li>
        ))}
      </ul>
      {may ? (
        <label className={styles['upload']}>
          <span>{words.attach}</span>
          <FileInput
            disabled={act.isPending}
            onChoose={([file]) => {
              if (file !== undefined) act.mutate(file);
            }}
          />
        </label>
      ) : null}
      <Failure error={act.error} />
    </Section>
  );
}
