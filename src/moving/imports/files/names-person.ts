import { Buffer } from 'node:buffer'
import type { Blobs } from '../../../base/blobs/blobs'
import type { PersonTexts } from '../../../people/subscribers/hooks'
import type { ImportFile, ImportMapping } from '../model'
import type { RecordReader } from '../rows/record'
import { readHeader } from './header'
import { openRecords } from './open-records'
import { openText } from './text'

/**
 * Whether a file has an id of the person anywhere, or a text chosen by an app in a column that holds people. Throws
 * `ImportUnreadable` for a file that cannot be read.
 */
export async function namesPerson(
  blobs: Blobs,
  file: ImportFile,
  mapping: ImportMapping | null,
  { ids, chosen }: PersonTexts,
): Promise<boolean> {
  const header = await readHeader(blobs, file)
  const records = openRecords(header)
  const columns = peopleColumns(header.headers, mapping)
  const wanted = new Set(chosen.map(folded))
  const hasId = finderOf(ids)
  for await (const part of openText(blobs, file, header.offset)) {
    if (hasId(part)) return true
    records.add(part)
    if (anyHolds(records, columns, wanted)) return true
  }
  records.end()
  return anyHolds(records, columns, wanted)
}

/** Of a file whose columns are not mapped yet: those that look like it. */
function peopleColumns(headers: readonly string[], mapping: ImportMapping | null): number[] {
  const { subscriberExternalId, deviceKey, email } = mapping?.columns ?? {}
  const mapped = [subscriberExternalId, deviceKey, email].filter((name) => name !== undefined)
  const isOfPeople = (name: string) => mapped.includes(name) || LOOKS_LIKE_PEOPLE.test(name)
  return headers.flatMap((name, at) => (isOfPeople(name) ? [at] : []))
}

const LOOKS_LIKE_PEOPLE = /user|subscriber|customer|device|person|profile|account|alias|mail/i

function anyHolds(records: RecordReader, columns: readonly number[], wanted: ReadonlySet<string>): boolean {
  while (records.next())
    if (columns.some((column) => column < records.count && wanted.has(folded(records.field(column) ?? '')))) return true
  return false
}

const folded = (text: string): string => text.trim().toLowerCase()

/** Looks for texts in a stream of bytes, across its parts. */
function finderOf(texts: readonly string[]): (part: Uint8Array) => boolean {
  const needles = texts.map((text) => Buffer.from(text))
  const overlap = Math.max(0, ...needles.map(({ length }) => length - 1))
  let held = Buffer.alloc(0)
  return (part) => {
    const bytes = Buffer.concat([held, part])
    held = Buffer.from(bytes.subarray(Math.max(0, bytes.length - overlap)))
    return needles.some((needle) => bytes.includes(needle))
  }
}
