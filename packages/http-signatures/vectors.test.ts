import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { digestFits, keySetOf, type RequestMessage, type ResponseMessage, verify } from './index.ts';

/** RFC 9421 appendix B. */
const keys = keySetOf([
  {
    kty: 'EC',
    crv: 'P-256',
    kid: 'test-key-ecc-p256',
    x: 'qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA',
    y: 'Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0',
  },
  { kty: 'OKP', crv: 'Ed25519', kid: 'test-key-ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
]);

const request: RequestMessage = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
  },
  body: Buffer.from('{"hello": "world"}'),
};
const answer: ResponseMessage = {
  status: 200,
  headers: {
    date: 'Tue, 20 Apr 2021 02:07:56 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
    'content-length': '23',
  },
  body: Buffer.from('{"message": "good dog"}'),
};

const labelOf = (verdict: ReturnType<typeof verify>): string => (typeof verdict === 'string' ? verdict : verdict.label);

describe('the vectors of RFC 9421', () => {
  test('B.2.4: an answer by ECDSA P-256', () => {
    const headers = {
      ...answer.headers,
      'signature-input':
        'sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
      signature: 'sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:',
    };
    assert.equal(labelOf(verify({ ...answer, headers }, { keys, required: ['@status'] })), 'sig-b24');
    assert.equal(verify({ ...answer, headers, status: 201 }, { keys, required: [] }), 'signature_invalid');
  });

  test('B.2.6: a request by Ed25519', () => {
    const headers = {
      ...request.headers,
      'signature-input':
        'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
    };
    assert.equal(labelOf(verify({ ...request, headers }, { keys, required: ['@method', '@path'] })), 'sig-b26');
    assert.equal(verify({ ...request, headers }, { keys, required: ['content-digest'] }), 'signature_missing');
  });

  test('the digests of both bodies (RFC 9530)', () => {
    for (const { headers, body } of [request, answer]) {
      assert.ok(digestFits(String(headers['content-digest']), body));
      assert.ok(!digestFits(String(headers['content-digest']), Buffer.concat([body, Buffer.from(' ')])));
    }
  });

  test('B.4: a request that was changed on its way as signatures allow, and as they do not', () => {
    const sent: RequestMessage = {
      method: 'GET',
      url: 'https://example.org/demo?name1=Value1&Name2=value2',
      headers: {
        host: 'example.org',
        date: 'Fri, 15 Jul 2022 14:24:55 GMT',
        accept: 'application/json, */*',
        'signature-input':
          'transform=("@method" "@path" "@authority" "accept");created=1618884473;keyid="test-key-ed25519"',
        signature:
          'transform=:ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA==:',
      },
      body: Buffer.alloc(0),
    };
    const verdict = (change: Partial<RequestMessage>, headers: RequestMessage['headers'] = {}): string =>
      labelOf(verify({ ...sent, ...change, headers: { ...sent.headers, ...headers } }, { keys, required: [] }));
    assert.equal(verdict({}), 'transform');
    assert.equal(verdict({}, { 'accept-language': 'en-US,en;q=0.5' }), 'transform', 'a field that is not covered');
    assert.equal(verdict({}, { date: 'Sat, 16 Jul 2022 00:00:00 GMT' }), 'transform');
    assert.equal(verdict({ url: 'https://example.org/demo' }), 'transform', 'the query is not covered');
    assert.equal(verdict({ method: 'POST' }), 'signature_invalid');
    assert.equal(
      verdict({ url: 'https://example.com/demo?name1=Value1&Name2=value2' }, { host: 'example.com' }),
      'signature_invalid',
    );
    assert.equal(verdict({}, { accept: '*/*, application/json' }), 'signature_invalid', 'lists have an order');
  });
});
