import { compress, decompress } from 'wawoff2'
import type { ThreadAnswer, ThreadRequest } from '../../base/lib/thread'
import { beNice } from '../../base/lib/thread-priority'
import { latinText } from '../../core/funnel/latin'
import type { FontWork, MadeFont } from './font-thread'
import { isBomb, rightsOf } from './sfnt'
import { loadHarfbuzz, subsetOf } from './subset'

declare const self: Worker

beNice()

const harfbuzz = loadHarfbuzz()
harfbuzz.catch(() => {}) // Every work that needs it fails then.

self.onmessage = async ({ data }: MessageEvent<ThreadRequest<FontWork>>) => {
  if (data !== null) return self.postMessage(await answer(data))
  process.exit() // In a worker this ends only the thread, not the process.
}

async function answer({ id, work }: NonNullable<ThreadRequest<FontWork>>): Promise<ThreadAnswer> {
  try {
    return { id, result: await make(work) }
  } catch {
    return { id, result: { fault: 'broken' } satisfies MadeFont } // Neither library reports more than its failure.
  }
}

async function make({ bytes, format }: FontWork): Promise<MadeFont> {
  if (format === 'woff2' && isBomb(bytes)) return { fault: 'broken' }
  const font = format === 'woff2' ? new Uint8Array(await decompress(bytes)) : bytes
  const rights = rightsOf(font)
  if (rights === null) return { fault: 'broken' }
  if (!rights.mayBeEmbedded) return { fault: 'embedding_forbidden' }
  const woff2 = format === 'woff2' ? bytes : await packed(font)
  return { woff2, latin: rights.mayBeSubset ? await packed(subsetOf(await harfbuzz, font, latinText())) : null }
}

/** A copy, because the library gives a view of its own memory. */
const packed = async (font: Uint8Array): Promise<Uint8Array> => new Uint8Array(await compress(font))
