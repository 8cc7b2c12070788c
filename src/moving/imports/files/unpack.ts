import { Readable, type Transform } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { reasonText } from '../../../core/reason/reasons'
import { ImportUnreadable } from './faults'

/** Text that is packed more tightly than this is refused, because its size would be out of all proportion. */
const MAX_RATIO = 200
const RATIO_FROM_BYTES = 64 * 1024 * 1024

/** The most that one file may have when it is unpacked. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024 * 1024

/** The content of a gzip file, also of one that was put together of several. */
export const gunzip = (packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  through(packed, createGunzip({ chunkSize: CHUNK_BYTES }))

/** The content of a deflated part of a zip file, which must not be longer than the directory says. */
export const inflateRaw = (packed: AsyncIterable<Uint8Array>, declaredBytes: number): AsyncGenerator<Uint8Array> =>
  through(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), declaredBytes)

const CHUNK_BYTES = 64 * 1024

async function* through(
  packed: AsyncIterable<Uint8Array>,
  unpacker: Transform,
  declaredBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const size = { packed: 0, unpacked: 0 }
  const input = Readable.from(counted(packed, size), { objectMode: false })
  let inputError: unknown = null
  input.on('error', (error) => {
    inputError = error
    unpacker.destroy(error)
  })
  input.pipe(unpacker)
  try {
    for await (const part of unpacker as AsyncIterable<Uint8Array>) {
      size.unpacked += part.length
      refuseBomb(size)
      if (size.unpacked > declaredBytes) throw new ImportUnreadable(DAMAGED)
      yield part
    }
  } catch (error) {
    if (inputError !== null) throw inputError
    throw error instanceof ImportUnreadable ? error : new ImportUnreadable(DAMAGED, { cause: error })
  } finally {
    input.destroy()
    unpacker.destroy()
  }
}

const DAMAGED = reasonText('PACKED_DAMAGED')

async function* counted(parts: AsyncIterable<Uint8Array>, size: { packed: number }): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    size.packed += part.length
    yield part
  }
}

export function refuseBomb({ packed, unpacked }: { packed: number; unpacked: number }): void {
  const isTooTight = unpacked > RATIO_FROM_BYTES && unpacked > packed * MAX_RATIO
  if (isTooTight || unpacked > MAX_UNPACKED_BYTES) throw new ImportUnreadable(reasonText('PACKED_TOO_TIGHT'))
}
