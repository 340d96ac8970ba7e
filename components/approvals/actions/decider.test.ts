import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDecider } from '@steward/access';
import { Problem } from '@steward/kernel';
import { authenticate } from '../fixtures/callers.ts';

const alice = { ...authenticate('Bearer person:alice'), issuer: 'https://a.example' };
const seconds = Math.floor(Date.now() / 1000);

/** `decides`, or the code it is refused with. */
function verdict(
  changes: Partial<typeof alice>,
  ...clients: readonly [issuer: string | undefined, clientId: string][]
): string {
  const approverClients = clients.map(([issuer, clientId]) => ({ issuer, clientId }));
  try {
    createDecider({
      approverClients,
      issuers: [],
      clock: () => seconds * 1000,
      portal: 'https://portal.example',
    }).require({ ...alice, ...changes });
    return 'decides';
  } catch (error) {
    return (error as Problem).code;
  }
}

describe('who decides', () => {
  test('comes with a client of the issuer that vouches for it, and not with one of the same id elsewhere', () => {
    const [here, there] = ['https://a.example', 'https://b.example'];
    assert.equal(verdict({}, [undefined, 'steward-console']), 'decides');
    assert.equal(verdict({}, [there, 'steward-console'], [here, 'steward-console']), 'decides');
    assert.equal(verdict({}, [there, 'steward-console'], [here, 'desk']), 'client_not_approver');
    assert.equal(verdict({ issuer: undefined }, [here, 'steward-console']), 'client_not_approver');
    assert.equal(verdict({ clientId: undefined }, [undefined, 'steward-console']), 'client_not_approver');
  });

  test('logged in within 15 minutes, and not at a time to come', () => {
    const at = (authTime: number | undefined): string => verdict({ authTime }, [undefined, 'steward-console']);
    assert.equal(at(seconds), 'decides');
    assert.equal(at(seconds - 900), 'decides');
    assert.equal(at(seconds - 901), 'login_too_old');
    assert.equal(at(seconds + 30), 'decides', 'clocks differ');
    assert.equal(at(seconds + 31), 'login_too_old');
    assert.equal(at(seconds + 10_000_000), 'login_too_old');
    assert.equal(at(Number.NaN), 'login_too_old');
    assert.equal(at(undefined), 'login_too_old');
  });
});
