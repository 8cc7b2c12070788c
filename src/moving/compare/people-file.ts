import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { CommandFailure, UsageError } from '../../base/cli/command'
import { reasonOf } from '../../base/cli/reason'
import { MAX_SAMPLE } from './model'

/** Columns of the vendor's exports that hold a person's id; of several the first that is not empty. */
const ID_COLUMNS = [
  ...['app_user_id', 'rc_last_seen_app_user_id_alias', 'rc_original_app_user_id', 'original_app_user_id'],
  ...['last_seen_app_user_id', 'user_id', 'subscriberExternalId'],
]

const MAX_ID = 255

/** The ids of a file, each once: one a line, or a column of a CSV file of the vendor. */
export async function readPeople(path: string): Promise<string[]> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CommandFailure('NOT_FOUND', `${path} cannot be read: ${reasonOf(error)}.`)
  })
  if (!isUtf8(bytes)) throw new UsageError(`${path} is not UTF-8; --people takes one id a line, or a CSV file`)
  const ids = [...new Set(parse(bytes.toString().replace(/^\ufeff/, '')))].filter((id) => id.trim() !== '')
  if (ids.length === 0) throw new UsageError(`${path} has no ids; --people takes one id a line, or a CSV file`)
  if (ids.length > MAX_SAMPLE) throw new UsageError(`${path} has more than ${MAX_SAMPLE} ids; split it`)
  const long = ids.find((id) => id.length > MAX_ID)
  if (long) throw new UsageError(`${path} has an id of more than ${MAX_ID} characters: ${long.slice(0, 40)}…`)
  return ids
}

function parse(text: string): string[] {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  for (const separator of [',', ';', '\t']) {
    const [names = []] = recordsOf(head, separator)
    const columns = ID_COLUMNS.map((name) => names.findIndex((one) => one.trim() === name)).filter((at) => at >= 0)
    if (columns.length > 0) return recordsOf(text, separator).slice(1).map(idIn(columns))
  }
  return text.split(/\r\n|\r|\n/)
}

const idIn =
  (columns: readonly number[]) =>
  (row: readonly string[]): string =>
    columns.map((at) => row[at] ?? '').find((id) => id.trim() !== '') ?? ''

/** The fields of each record; what follows a closing quote belongs to the field. */
function recordsOf(text: string, separator: string): string[][] {
  const records: string[][] = []
  let [row, field, isQuoted]: [string[], string, boolean] = [[], '', false]
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isQuoted && character === '"' && text[at + 1] === '"') field += text.charAt(at++)
    else if (character === '"' && (isQuoted || field === '')) isQuoted = !isQuoted
    else if (isQuoted || (character !== separator && character !== '\n' && character !== '\r')) field += character
    else {
      row.push(field)
      field = ''
      if (character === separator) continue
      records.push(row)
      row = []
      if (character === '\r' && text[at + 1] === '\n') at++
    }
  }
  return [...records, [...row, field]]
}
