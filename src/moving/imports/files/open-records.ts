import type { RecordReader } from '../rows/record'
import type { FileHeader } from './header'
import { JsonLineScanner } from './json-lines'
import { RecordScanner } from './records'

/** Cuts the text of a file into records, from a place behind its header on. */
export function openRecords(
  { form, headers, separator, ...start }: FileHeader,
  from: { offset: number; line: number } = start,
): RecordReader {
  const place = { offset: from.offset, line: from.line }
  return form === 'CSV' ? new RecordScanner(separator, headers.length, place) : new JsonLineScanner(headers, place)
}
