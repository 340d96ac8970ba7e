import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keyOf } from '../fixtures/key.ts';
import { checkpointText, readCheckpoint } from './checkpoint.ts';
import { readKeyNote, writeKeyNote } from './key-note.ts';
import { openNote, signNote, type SigningKey, verifierKey } from './note.ts';

// The published key and note of golang.org/x/mod/sumdb/note.
const peter = {
  name: 'PeterNeumann',
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  seed: Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1),
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature: 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
};
const published = `${peter.text}\n— PeterNeumann ${peter.signature}\n`;
const [first, second, third] = [1, 2, 3].map((byte) => keyOf(Buffer.alloc(32, byte))) as [
  SigningKey,
  SigningKey,
  SigningKey,
];
const line = ({ publicKey }: SigningKey): string => verifierKey(publicKey);

describe('signed notes', () => {
  test('are the published ones, byte for byte', () => {
    const signer = keyOf(peter.seed);
    assert.equal(verifierKey(signer.publicKey, peter.name), peter.key);
    assert.equal(signNote(peter.text, [signer], peter.name), published);
    assert.deepEqual(openNote(published, [peter.key]), { text: peter.text, signedBy: [peter.key] });
  });

  test('say who of the known keys signed, and pass over others', () => {
    const note = signNote('a\n\nb\n', [first, second]);
    assert.deepEqual(openNote(note, [line(second)]), { text: 'a\n\nb\n', signedBy: [line(second)] });
    assert.deepEqual(openNote(note, [line(first), line(third), line(second)]).signedBy, [line(first), line(second)]);
    assert.throws(() => openNote(note, [line(third)]), /No known key/);
  });

  test('are refused when a byte differs, or a known key did not make the signature in its name', () => {
    const note = Buffer.from(signNote('text\n', [first]));
    for (let at = 0; at < note.length; at += 1) {
      const changed = Buffer.from(note);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => openNote(changed.toString(), [line(first)]), `byte ${at}`);
    }
    const [mine = ''] = signNote('text\n', [first]).split('\n').slice(2);
    const [other = ''] = signNote('other\n', [second]).split('\n').slice(2);
    assert.throws(() => openNote(`text\n\n${mine}\n${other}\n`, [line(first), line(second)]), /does not hold/);
  });

  test('know a key by its whole line', () => {
    for (const wrong of ['', 'x', line(first).replace(/\+./, '+0f'), line(first).slice(1), `${line(first)}=`])
      assert.throws(() => openNote(published, [wrong]), /is no key/);
  });
});

describe('checkpoints', () => {
  const told = {
    owner: '01980a4e-7d00-7000-8000-00000000a11d',
    day: '2026-03-01',
    count: 3,
    root: 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    manifestSha256: 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  };

  test('have one form', () => {
    const text = checkpointText(told);
    assert.equal(
      text,
      'steward/audit/01980a4e-7d00-7000-8000-00000000a11d/2026-03-01\n3\nrra8/idLcKFPsGel5VeCZNsPqbUa9eC6FZFY8yngbnc=\n' +
        'manifest fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125\n',
    );
    assert.deepEqual(readCheckpoint(text), told);
    assert.deepEqual(readCheckpoint(checkpointText({ ...told, owner: 'platform' })).owner, 'platform');
  });

  test('are refused in any other', () => {
    const text = checkpointText(told);
    for (const wrong of [
      '',
      `${text}more\n`,
      text.replace('\n3\n', '\n03\n'),
      text.replace('bnc=', 'bnd='),
      text.replace('manifest fac', 'manifest FAC'),
      text.replaceAll('\n', '\r\n'),
    ])
      assert.throws(() => readCheckpoint(wrong), /no checkpoint/);
  });
});

describe('the notes of keys', () => {
  test('name the key and the one before it, and hold by themselves', () => {
    const [from, through] = ['2026-03-02', '2026-03-03'];
    const root = writeKeyNote(first, from);
    assert.deepEqual(readKeyNote(root), { keyId: first.keyId, key: line(first), from });
    const next = writeKeyNote(second, from, { key: first, through });
    assert.match(
      next,
      /^steward\/audit\/key\nsteward\/audit\+.*\nfrom 2026-03-02\nprevious steward\/audit\+.*\nthrough 2026-03-03\n\n— .*\n— .*\n$/,
    );
    assert.deepEqual(readKeyNote(next), {
      keyId: second.keyId,
      key: line(second),
      from,
      previous: line(first),
      through,
    });
    const old = signNote(`steward/audit/key\n${line(second)}\nprevious ${line(first)}\n`, [second, first]);
    assert.deepEqual(readKeyNote(old), { keyId: second.keyId, key: line(second), previous: line(first) });
  });

  test('are refused without the signature of both keys', () => {
    const [text = ''] = writeKeyNote(second, '2026-03-02', { key: first, through: '2026-03-02' }).split('\n\n');
    for (const signers of [[second], [first], [second, third]])
      assert.throws(() => readKeyNote(signNote(`${text}\n`, signers)), /did not sign|No known key/);
  });
});
