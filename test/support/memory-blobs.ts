import { type Blobs, BlobsUnavailable } from '../../src/base/blobs/blobs'
import { sha256Hex } from '../../src/base/lib/hash'

/** Blobs in memory, which tests can take away and give back. */
export function memoryBlobs(partBytes = 64 * 1024): Blobs & { isAway: boolean; held: Map<string, Uint8Array> } {
  const held = new Map<string, Uint8Array>()
  const there = () => {
    if (blobs.isAway) throw new BlobsUnavailable('no space left on device')
  }
  const blobs = {
    isAway: false,
    held,
    async write(key: string, bytes: ReadableStream<Uint8Array>) {
      there()
      const all = await new Response(bytes).bytes()
      held.set(key, all)
      return { bytes: all.length, sha256: sha256Hex(all) }
    },
    async read(key: string, from = 0) {
      there()
      const all = held.get(key)
      return all ? inParts(all.subarray(from), partBytes) : null
    },
    async size(key: string) {
      there()
      return held.get(key)?.length ?? null
    },
    async remove(key: string) {
      there()
      held.delete(key)
    },
    async list(prefix: string) {
      there()
      return [...held.keys()].filter((key) => key.startsWith(prefix)).sort()
    },
  }
  return blobs
}

function inParts(bytes: Uint8Array, partBytes: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + partBytes))
      at += partBytes
    },
  })
}
