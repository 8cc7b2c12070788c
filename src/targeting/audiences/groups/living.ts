import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { countErasedKeys, listErasedHashes } from '../../../people/subscribers/erased-keys'
import { packHashes } from './group'

/** A list of ids as it is stored. */
export interface StoredMembers {
  hashes: string
  size: number
}

/** A list without the ids of people who were erased. */
export interface LivingMembers extends StoredMembers {
  /** How many keys of erased people the project knew when the list was compared with them. */
  erasedKeys: number
}

export const ERASED_MEANWHILE = 'People were erased while the list of ids was read; send it again'

type InPart = (part: () => void) => Promise<void>

type Reader = Handle & Pick<Context, 'state'>

/** How many ids are hashed before other requests may run. */
const CHUNK = 2000

const thenOthers: InPart = async (part) => {
  part()
  await new Promise((resolve) => setImmediate(resolve))
}

/**
 * The hashes of a list of ids, in the form in which they are stored. Device keys and labels of people who were erased are
 * left out. `inPart` does each part of the work.
 */
export async function hashLiving(
  reader: Reader,
  projectId: string,
  ids: readonly string[],
  inPart: InPart = thenOthers,
): Promise<LivingMembers> {
  const erasedKeys = await countErasedKeys(reader, projectId)
  const hashes: Buffer[] = []
  for (let start = 0; start < ids.length; start += CHUNK) {
    const chunk = ids.slice(start, start + CHUNK)
    const living = erasedKeys === 0 ? chunk : await withoutErased(reader, projectId, chunk, inPart)
    await inPart(() => {
      for (const id of living) hashes.push(reader.state.memberHasher.hash(projectId, id))
    })
  }
  let packed = ''
  await inPart(() => {
    packed = packHashes(hashes)
  })
  return { hashes: packed, size: hashes.length, erasedKeys }
}

async function withoutErased(
  reader: Reader,
  projectId: string,
  ids: readonly string[],
  inPart: InPart,
): Promise<string[]> {
  const { erasedKeys } = reader.state
  const hashesOf = (value: string) =>
    (['DEVICE', 'LABEL'] as const).map((kind) => erasedKeys.hash(projectId, { kind, value }))
  const hashed: { id: string; hashes: string[] }[] = []
  await inPart(() => {
    for (const id of ids) hashed.push({ id, hashes: hashesOf(id) })
  })
  const all = hashed.flatMap(({ hashes }) => hashes)
  const erased = await listErasedHashes(reader, projectId, all)
  return hashed.filter(({ hashes }) => !hashes.some((hash) => erased.has(hash))).map(({ id }) => id)
}
