import { CompactMap } from '../../../base/lib/compact-map'
import type { ProjectState } from '../../../projects/project/state'
import { proofName } from '../commit/anchors'
import { identityOf } from '../commit/row-identity'
import type { ImportMapping, ImportOptions } from '../model'
import type { ImportRow, RowFault } from '../row'

interface Watched {
  catalog: ProjectState['catalog']
  mapping: ImportMapping | null
  options: ImportOptions
}

/**
 * Tells the rows of a job that give one purchase to different people. A purchase has one owner, so all others would go
 * without it: ids that lost their last digits come to this. Each such row is reported with the first line of the purchase.
 */
export class OwnerWatch {
  /** By the name of a purchase: hashes of the label and the device of its first row, its line and its file. */
  readonly #owners = new CompactMap(4)

  /** @param files names of the files, by their number */
  constructor(private readonly files: readonly string[]) {}

  /** The rows of a batch that name another person than an earlier row of the same purchase. */
  note(rows: readonly ImportRow[], file: number, watched: Watched): RowFault[] {
    return rows.flatMap((row) => {
      const first = this.#firstOther(row, file, namesOf(row, watched))
      return first ? [this.#warning(row, file, first, watched)] : []
    })
  }

  #firstOther(row: ImportRow, file: number, names: readonly string[]): Place | null {
    const [label, device] = [hashOf(row.subscriberExternalId), row.deviceKey === null ? 0 : hashOf(row.deviceKey)]
    let other: Place | null = null
    for (const name of names) {
      const [heldLabel, heldDevice, line = 0, inFile = 0] = this.#owners.get(name) ?? []
      if (heldLabel === undefined) this.#owners.set(name, [label, device, row.line, file])
      else if (heldLabel !== label && (device === 0 || heldDevice !== device)) other ??= { line, file: inFile }
    }
    return other
  }

  #warning(row: ImportRow, file: number, first: Place, { mapping }: Watched): RowFault {
    const where = first.file === file ? '' : ` of ${this.files[first.file] ?? 'another file'}`
    const column = ID_COLUMNS.find((name) => row[name] !== null && mapping?.columns[name])
    return {
      line: row.line,
      column: (column && mapping?.columns[column]) ?? null,
      message: `Line ${first.line}${where} gives the same purchase to another person; it has one owner, so one of them will not have it`,
      severity: 'WARNING',
    }
  }
}

interface Place {
  line: number
  file: number
}

const ID_COLUMNS = ['storeTransactionId', 'originalTransactionId', 'purchaseToken', 'receipt', 'providerId'] as const

/** What the row names its purchase by. A family share is somebody's own, and so is what has no id. */
function namesOf(row: ImportRow, { catalog, options }: Watched): string[] {
  if (row.ownershipType === 'FAMILY_SHARED' || ID_COLUMNS.every((name) => row[name] === null)) return []
  const identity = identityOf(row, catalog, options)
  if (!identity) return [proofName(row) ?? []].flat()
  const own = row.storeTransactionId === null ? [] : [`transaction ${row.store} ${row.storeTransactionId}`]
  return [`chain ${row.store} ${identity.chainKey}`, ...own]
}

/** Never 0, which means no device. */
const hashOf = (text: string): number => Bun.hash.crc32(text) || 1
