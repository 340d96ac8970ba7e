import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Whether the sender of an `Accept-Encoding` takes gzip (RFC 9110 §12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((one) => {
        const [coding = '', weight = ''] = one.split(';');
        return [coding.trim(), weight.replaceAll(' ', '')];
      }),
  );
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*');
  return weight !== undefined && !/^q=0(?:\.0{0,3})?$/.test(weight);
}

interface Deflated {
  readonly bytes: Buffer;
  readonly crc: number;
}

const kept = new WeakMap<Buffer, Deflated>();
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const longestStored = 65_535;

/**
 * A gzip file (RFC 1952) of `prebuilt` and then `tail`. What is prebuilt is compressed once, up to a byte boundary; the tail
 * of each request follows as it is, in stored blocks (RFC 1951 §3.2.4), so that nothing is compressed for a request.
 */
export function gzipOf(prebuilt: Buffer, tail: Buffer): Buffer {
  let deflated = kept.get(prebuilt);
  if (deflated === undefined) {
    const bytes = deflateRawSync(prebuilt, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
    deflated = { bytes, crc: crc32(prebuilt) };
    kept.set(prebuilt, deflated);
  }
  const parts = [head, deflated.bytes];
  for (let at = 0; at === 0 || at < tail.length; at += longestStored) {
    const block = tail.subarray(at, at + longestStored);
    const start = Buffer.alloc(5);
    start.writeUInt8(at + longestStored >= tail.length ? 1 : 0, 0);
    start.writeUInt16LE(block.length, 1);
    start.writeUInt16LE(~block.length & 0xffff, 3);
    parts.push(start, block);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(tail, deflated.crc), 0);
  end.writeUInt32LE((prebuilt.length + tail.length) % 2 ** 32, 4);
  return Buffer.concat([...parts, end]);
}
