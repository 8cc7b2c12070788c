import { expect, test } from 'bun:test'
import { AppError } from '../errors'
import { fileBody } from './file-body'

const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE')

async function* slowBytes() {
  for (;;) {
    await Bun.sleep(1)
    yield new Uint8Array(1)
  }
}

async function sizeOf(parts: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const part of parts) size += part.length
  return size
}

test('a file that arrives byte by byte is given up when its whole time is over', async () => {
  const reading = sizeOf(fileBody(slowBytes(), 1e9, tooLarge, 30))
  await expect(reading).rejects.toMatchObject({ refusal: 'HTTP_ERROR', status: 408 })
})

test('a file in time is read whole', async () => {
  const body = new Blob(['four']).stream()
  expect(await sizeOf(fileBody(body, 4, tooLarge, 60_000))).toBe(4)
})
