const sizeLimit = 262_144;

/** What a configured address alone answers: no redirects, 3 s, 256 KiB. @throws Error that names the address */
export async function fetchJson(address: string, accept = 'application/json'): Promise<unknown> {
  const response = await fetch(address, {
    headers: { accept },
    redirect: 'error',
    signal: AbortSignal.timeout(3_000),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${address} answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > sizeLimit) throw new Error(`${address} answered more than ${sizeLimit} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
