import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createProcessWorld, surroundings } from '@steward/conformance/world';
import { createTestDatabase, type TestDatabase } from '@steward/testing';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../apps/cli/steward.ts', import.meta.url));

const variable = (name: string): string => process.env[name] ?? assert.fail(`${name} is not set.`);

describe('the claim of an archive in a bucket with Object Lock', () => {
  const [accessKeyId, secretAccessKey] = [variable('S3_TEST_KEY'), variable('S3_TEST_SECRET')];
  const [endpoint, region] = [variable('S3_TEST_ENDPOINT'), variable('S3_TEST_REGION')];
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  });
  after(() => client.destroy());

  test('is taken over on the command line, after which the database that had it is refused, and another claim changes nothing', async () => {
    const Bucket = `steward-claim-${randomUUID()}`.slice(0, 50);
    await client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    const claims = async (): Promise<string[]> => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map(({ Key = '' }) => Key).filter((key) => key.includes('/claims/'));
    };
    const archive = {
      AUDIT_ARCHIVE: `s3://${Bucket}/steward`,
      AUDIT_RETENTION_DAYS: '1',
      AUDIT_S3_ENDPOINT: endpoint,
      AUDIT_S3_REGION: region,
      AUDIT_S3_ACCESS_KEY_ID: accessKeyId,
      AUDIT_S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    await using world = await createProcessWorld(archive);
    await world.signUp('ann@example.com', 'Claimed');
    await using other = await createTestDatabase([]);
    const at = ({ appUrl, ownerUrl }: TestDatabase) => ({ DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl });
    const steward = async (db: TestDatabase, ...args: string[]): Promise<string> => {
      const env = { ...surroundings, ...archive, ...at(db), DATA_DIR: world.dataDir };
      return (await run(process.execPath, [command, ...args], { env })).stdout;
    };
    const refused = /belongs to another database [^]*steward audit claim --reason/;
    const refusedToSeal = ({ stderr }: { stderr: string }): boolean => refused.test(stderr);
    await steward(world.db, 'audit', 'seal', '--day', '2026-03-01');
    assert.equal((await claims()).length, 1);
    await steward(other, 'migrate');
    await assert.rejects(world.another(at(other)), refused);
    await assert.rejects(steward(other, 'audit', 'seal', '--day', '2026-03-01'), refusedToSeal);
    assert.equal((await claims()).length, 1);

    assert.match(
      await steward(other, 'audit', 'claim', '--reason', 'the machine was replaced'),
      /^Claim 2: the archive belongs to database /,
    );
    assert.match(
      await steward(other, 'audit', 'claim', '--reason', 'again'),
      /belongs to this database already, by claim 2\./,
    );
    assert.equal((await claims()).length, 2);
    await (await world.another(at(other))).stop();
    await assert.rejects(steward(world.db, 'audit', 'seal', '--day', '2026-03-01'), refusedToSeal);
    await world.server.stop();
    await assert.rejects(world.restart(), refused);
    assert.match(await steward(world.db, 'audit', 'claim', '--reason', 'it was the right one'), /^Claim 3: /);
    await world.restart();
  });
});
