import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { verifyProof as standAlone } from '@steward/verification/verifier';
import { judge } from './judge.ts';
import { ownKeys, verifyProof, type Proof } from './proof.ts';

const vectors = new URL('../../../../conformance/audit/vectors/', import.meta.url);

describe('a proof in the page', () => {
  const text = readFileSync(new URL('proof.json', vectors), 'utf8');
  const key = readFileSync(new URL('key', vectors), 'utf8').trim();
  const proof = JSON.parse(text) as Proof;
  const other = '01980a4e-7d00-7000-8000-000000000000';
  const { id } = JSON.parse(proof.event) as { readonly id: string };

  test('holds for the published vector, and says what it computed', async () => {
    const verdict = await verifyProof(text, [key], { tenant: proof.tenant, id });
    assert.deepEqual(verdict.ok, true);
    assert.deepEqual(
      verdict.computed.map(({ step }) => step),
      ['event', 'row', 'signature', 'root'],
    );
    assert.equal(verdict.computed[1]?.value, proof.rowHash);
  });

  test('has each member once, however it is spelled and spaced', async () => {
    const spaced = JSON.stringify(proof, null, 2);
    assert.equal((await verifyProof(spaced, [key], { tenant: proof.tenant, id })).ok, true);
    for (const more of [String.raw`"event":"{\"total\":1}"`, String.raw`"\u0065vent" : "{}"`, '"more":{"a":1,"a":2}']) {
      const verdict = await verifyProof(text.replace('{', `{${more},`), [key], { tenant: proof.tenant, id });
      assert.deepEqual([verdict.ok, !verdict.ok && verdict.kind], [false, 'form'], more);
    }
  });

  test('has no member that its form has not, and the verdict names it', async () => {
    const receipt = readFileSync(new URL('receipt.json', vectors), 'utf8');
    for (const [document, more] of [
      [text, '"note":"paid"'],
      [text, '"receipt":{}'],
      [receipt, '"note":"paid"'],
      [receipt, '"day":"2026-03-03"'],
    ] as const) {
      const verdict = await verifyProof(document.replace('{', `{${more},`), [key], { tenant: proof.tenant });
      assert.deepEqual([verdict.ok, !verdict.ok && verdict.kind], [false, 'form'], more);
      assert.match(verdict.ok ? '' : verdict.detail, new RegExp(more.split('"')[1] ?? '', 'u'));
    }
    const signed = receipt.replace('"signature"', '"by":"a bank","signature"');
    assert.match(String((await verifyProof(signed, [key])).ok), /false/);
  });

  test('is not that of another event, though it holds', async () => {
    const about = { tenant: proof.tenant, id: other };
    const verdict = await verifyProof(text, [key], about);
    assert.deepEqual([verdict.ok, !verdict.ok && verdict.kind], [false, 'misplaced']);
  });

  test('is not that of another organization, though one key signs the logs of all', async () => {
    for (const pinned of [key, undefined])
      for (const about of [{ tenant: other }, { tenant: other, id }]) {
        const { is, verdict } = await judge(text, pinned, about);
        assert.deepEqual([is, verdict.ok, !verdict.ok && verdict.kind], ['foreign', false, 'foreign']);
      }
    // Nor where it says that it is: the checkpoint that is signed names whose it is.
    const renamed = text.replaceAll(proof.tenant, other);
    assert.equal((await judge(renamed, key, { tenant: other })).is, 'broken');
    assert.equal((await judge(text, key, { tenant: proof.tenant })).is, 'verified');
  });

  test('is not verified without a key of the reader, nor by one that does not lead to its signer', async () => {
    const stranger = 'steward/audit+6d9c9f2c+AfgJO5EXv6xGyIB9Q4rAPGAjsPk3ub5rQn4M7ZpKCBjG';
    await assert.rejects(verifyProof(text, [stranger]), /no key/);
    const verdict = await verifyProof(text, []);
    assert.deepEqual([verdict.ok, !verdict.ok && verdict.kind], [false, 'signature']);
    assert.equal((await verifyProof(text, ownKeys(proof).slice(0, 1))).ok, true);
  });

  test('is not any other file, which is no sign that somebody changed the log', async () => {
    for (const file of ['', '{}', 'null', '[]', '"x"', `${proof.event}\n${proof.event}\n`, 'PK\u0003\u0004'])
      for (const pinned of [key, undefined])
        assert.equal((await judge(file, pinned, { tenant: proof.tenant })).is, 'unread', JSON.stringify(file));
  });

  test('of a day that is not sealed is a receipt: its place is signed by a key that the reader pinned', async () => {
    const receipt = readFileSync(new URL('receipt.json', vectors), 'utf8');
    const { tenant, event } = JSON.parse(receipt) as Proof;
    const { id: own } = JSON.parse(event) as { readonly id: string };
    const { is, verdict } = await judge(receipt, key, { tenant, id: own });
    assert.deepEqual([is, verdict.computed.map(({ step }) => step)], ['signed', ['event', 'row', 'signature']]);
    assert.equal((await judge(receipt, undefined, { tenant, id: own })).is, 'agrees');
    assert.equal((await judge(receipt, key, { tenant: other })).is, 'foreign');
    assert.equal((await judge(receipt, key, { tenant, id })).is, 'broken');
  });

  test('is judged as the stand-alone verifier judges it, wherever a character of it is changed', async () => {
    for (const document of [text, readFileSync(new URL('receipt.json', vectors), 'utf8')]) {
      let broken = 0;
      for (let at = 0; at < document.length; at += 11) {
        const changed = `${document.slice(0, at)}${document[at] === '1' ? '2' : '1'}${document.slice(at + 1)}`;
        const [here, there] = [await verifyProof(changed, [key]), await standAlone(changed, { keys: [key] })];
        assert.equal(here.ok, there.ok, `at ${at}`);
        assert.equal(here.ok ? undefined : here.kind, there.findings[0]?.kind, `at ${at}`);
        if (!here.ok) broken += 1;
      }
      assert.ok(broken > document.length / 11 / 2, String(broken));
    }
  });
});
