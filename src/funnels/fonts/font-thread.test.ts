import { expect, test } from 'bun:test'
import { FontThread, type FontWork } from './font-thread'

/** Counts to 2^32, which takes seconds. Nothing ends it before. */
const COUNTING =
  '0061736d0100000001040160000003020100070501016600000a19011701017e0340200042017c2200428080808010540d000b0b'

/** A thread that works long for a WOFF2 and answers at once for others. `canEnd` = it can be ended while it works. */
const threadCode = (canEnd: boolean): string => `
  self.onmessage = async ({ data }) => {
    if (data === null) return process.exit()
    const { id, work } = data
    if (work.format !== 'woff2') return self.postMessage({ id, result: { woff2: work.bytes, latin: null } })
    if (${canEnd}) for (;;) {}
    const { instance } = await WebAssembly.instantiate(Uint8Array.fromHex('${COUNTING}'))
    instance.exports.f()
  }`

/** `limitOf` is called once for each font. */
const threadOf = (canEnd: boolean, limitOf: () => number) => {
  const url = URL.createObjectURL(new Blob([threadCode(canEnd)]))
  return new FontThread({
    get workMs() {
      return limitOf()
    },
    file: () => url,
  })
}

/** Enough for a thread to begin, also on a busy machine. */
const ENOUGH = 300_000

const slow: FontWork = { bytes: new Uint8Array([1]), format: 'woff2' }
const quick: FontWork = { bytes: new Uint8Array([2]), format: 'ttf' }
const made = { woff2: quick.bytes, latin: null }

test('a font that takes too long is given up, and those that wait behind it are made in a new thread', async () => {
  const limits = [300, ENOUGH, ENOUGH, 300]
  const thread = threadOf(true, () => limits.shift() ?? ENOUGH)
  const answers = await Promise.all([slow, quick, quick, slow].map(thread.make))
  expect(answers).toEqual([{ fault: 'too_slow' }, made, made, { fault: 'too_slow' }])
  await thread.close()
})

test('no further thread begins while two that were given up still run', async () => {
  let limit = 200
  const thread = threadOf(false, () => limit)
  const given: unknown[] = []
  const giveUntilRefused = async () => {
    // A thread that is given up before it has begun ends at once, so the limit grows until two have begun.
    for (; ; limit *= 2) given.push(await thread.make(slow))
  }
  await expect(giveUntilRefused()).rejects.toMatchObject({ refusal: 'QUEUE_UNAVAILABLE' })
  expect(given.length).toBeGreaterThanOrEqual(2)
  expect(given).toEqual(given.map(() => ({ fault: 'too_slow' })))
  limit = ENOUGH
  const retried = async (): Promise<unknown> =>
    thread.make(quick).catch(async () => {
      await Bun.sleep(50)
      return retried()
    })
  expect(await retried()).toEqual(made)
  await thread.close()
})
