import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AddressRefused, createGuardedFetch } from './guarded-fetch.ts';

const strict = createGuardedFetch({ accept: '*/*', userAgent: 'test', loopback: false });
const lenient = createGuardedFetch({ accept: '*/*', userAgent: 'test', loopback: true });

/** An address of each block of the IANA special-purpose registries (RFC 6890 and what updates it), and of those that embed IPv4. */
const special = {
  'this network': '0.1.2.3',
  unspecified: '0.0.0.0',
  private: '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1',
  'shared address space': '100.64.0.1 100.127.255.255',
  loopback: '127.0.0.1 127.255.255.254 2130706433 0x7f000001 0177.0.0.1 127.1',
  'link local': '169.254.169.254',
  'IETF protocol assignments': '192.0.0.1 192.0.0.8 192.0.0.170',
  documentation: '192.0.2.1 198.51.100.1 203.0.113.1',
  'AS112 and AMT': '192.31.196.1 192.52.193.1 192.175.48.1',
  '6to4 relay': '192.88.99.1',
  benchmarking: '198.18.0.1 198.19.255.255',
  'multicast, reserved, broadcast': '224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255',
  'IPv6 unspecified and loopback': '[::] [::1]',
  'IPv4-compatible': '[::127.0.0.1] [::10.0.0.1] [::8.8.8.8]',
  'IPv4-mapped': '[::ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]',
  'IPv4-translated': '[::ffff:0:127.0.0.1] [::ffff:0:8.8.8.8]',
  NAT64: '[64:ff9b::7f00:1] [64:ff9b::808:808] [64:ff9b:1::7f00:1]',
  'discard and dummy': '[100::1] [100:0:0:1::1]',
  'Teredo and protocol assignments':
    '[2001::1] [2001:1::1] [2001:2::1] [2001:3::1] [2001:4:112::1] [2001:10::1] [2001:20::1] [2001:30::1] [2001:1ff::1]',
  'IPv6 documentation': '[2001:db8::1] [3fff::1]',
  '6to4': '[2002:7f00:1::] [2002:808:808::1]',
  'AS112 of IPv6': '[2620:4f:8000::1]',
  'segment routing': '[5f00::1]',
  'unique local, link local, site local, multicast': '[fc00::1] [fd00::1] [fe80::1] [fec0::1] [ff02::1]',
  'never given out': '[1::1] [4000::1] [8000::1] [e000::1]',
};

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return error instanceof AddressRefused ? error.code : String(error);
  }
  return 'answered';
};

describe('a guarded fetch', () => {
  for (const [what, addresses] of Object.entries(special))
    test(`asks no address of: ${what}`, async () => {
      for (const address of addresses.split(' ')) {
        assert.equal(await codeOf(strict(`https://${address}/`, {})), 'address_not_public', address);
        if (!/loopback/.test(what) && !address.startsWith('127.'))
          assert.equal(await codeOf(lenient(`https://${address}/`, {})), 'address_not_public', address);
      }
    });

  test('asks names of this machine only where it may, https alone, and no other port', async () => {
    for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'])
      assert.equal(await codeOf(strict(`https://${name}/`, {})), 'address_not_public', name);
    assert.equal(await codeOf(strict('http://example.com/', {})), 'scheme_not_allowed');
    assert.equal(await codeOf(strict('https://example.com:22/', {})), 'port_not_allowed');
  });

  test('asks public addresses', async () => {
    const over = AbortSignal.abort();
    for (const address of ['8.8.8.8', '[2606:4700::1111]', '[2a00:1450::1]', '[::ffff:8.8.8.8]'])
      assert.notEqual(await codeOf(strict(`https://${address}/`, { signal: over })), 'address_not_public', address);
  });
});
