import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { integerAt, type Position } from '../../base/http/list'
import type { RowSource } from '../../base/http/scan'
import { toEmailText } from './email'
import { type After, findRowBelow, listByEmail, listByPrefix, listContaining } from './list-queries'
import { findById, type SubscriberRow } from './queries'
import { isSubscriberId, resolveRow, unlessUnresolvable } from './service'

/** A row, the way in which the text found it, and the value of that way. */
export interface FoundSubscriber {
  /** The row that was found; of a merged one, its survivor. */
  row: SubscriberRow
  /** The id of the row that was found. */
  id: string
  way: number
  value: string
}

/** How a text finds subscribers, in this order. A row that several ways find is listed for the first one. */
const WAYS = [
  {
    valueOf: ({ id }: SubscriberRow) => id,
    isFound: ({ id }: SubscriberRow, text: string) => id === text,
  },
  {
    valueOf: ({ appUserId }: SubscriberRow) => appUserId ?? '',
    isFound: ({ appUserId }: SubscriberRow, text: string) => appUserId?.startsWith(text) ?? false,
  },
  {
    valueOf: ({ deviceKey }: SubscriberRow) => deviceKey,
    isFound: ({ deviceKey }: SubscriberRow, text: string) => deviceKey.startsWith(text),
  },
  {
    valueOf: (row: SubscriberRow) => emailIn(row),
    isFound: (row: SubscriberRow, text: string) => emailIn(row).startsWith(toEmailText(text)),
  },
  {
    valueOf: () => '',
    isFound: (row: SubscriberRow, text: string) =>
      [row.appUserId ?? '', row.deviceKey].some((name) => name.includes(text)) ||
      emailIn(row).includes(toEmailText(text)),
  },
] as const

/** Those that have the text inside a name come after those whose names start with it. */
const INSIDE = WAYS.length - 1

const emailIn = ({ attributes }: SubscriberRow): string => toEmailText(attributes.$email?.value ?? '')

/** Subscribers by `sub_` id, and by prefixes of their label, device key and e-mail address. */
export const searchSource = (handle: Handle, projectId: string, text: string): RowSource<FoundSubscriber> => ({
  positionOf: ({ way, value, id }) => [way, value, id],
  async read(position, limit) {
    const found: FoundSubscriber[] = []
    const start = positionIn(position)
    for (let way = start.way; way < INSIDE && found.length < limit; way++) {
      const after = way === start.way ? start.after : null
      const rows = await readWay(handle, projectId, text, way, { after, limit: limit - found.length })
      found.push(...rows.map((row) => ({ row, id: row.id, way, value: WAYS[way]?.valueOf(row) ?? '' })))
    }
    return found
  },
})

/** How many rows one statement looks through for a text inside names: no index leads to them. */
const STRETCH = 20_000

/** What a stretch of the newest rows has, and where the next one starts; null after the last one. */
export interface FoundInside {
  found: FoundSubscriber[]
  nextBefore: string | null
}

/**
 * Subscribers with the text inside their label, device key or e-mail address, whom it does not start, newest first: of
 * the rows before an id as many as one statement looks through.
 */
export async function searchInside(
  ctx: Context,
  projectId: string,
  text: string,
  beforeId: string | null,
  limit: number,
): Promise<FoundInside> {
  const read = async (handle: Handle) => {
    const fromId = await findRowBelow(handle, projectId, beforeId, STRETCH)
    return { fromId, rows: await listContaining(handle, projectId, text, { beforeId, fromId }, limit) }
  }
  const { fromId, rows } = await ctx.storage.readInThread(read, { group: projectId })
  const found = rows.map((row) => ({ row, id: row.id, way: INSIDE, value: '' }))
  return { found, nextBefore: rows.length === limit ? (rows.at(-1)?.id ?? null) : fromId }
}

/**
 * The people that were found, each for the first way that finds them. A row that was merged leads to its survivor, whose
 * own row may be found as well. Erased people are left out.
 */
export async function peopleFound(
  handle: Handle,
  found: readonly FoundSubscriber[],
  text: string,
): Promise<FoundSubscriber[]> {
  const people = new Map<string, FoundSubscriber>()
  for (const one of found) {
    if (firstWay(one.row, text) !== one.way) continue
    const row = await resolveRow(handle, one.row).catch(unlessUnresolvable)
    const isListedItself = row !== one.row && row !== null && isNamed(row, text)
    if (row?.erasedAt === null && !isListedItself && !people.has(row.id)) people.set(row.id, { ...one, row })
  }
  return [...people.values()]
}

/** Whether the row's own id, label, device key or e-mail address finds it. */
const isNamed = (row: SubscriberRow, text: string): boolean => firstWay(row, text) >= 0

/** Whether one of them starts with the text. */
export const isNamedAtStart = (row: SubscriberRow, text: string): boolean =>
  isNamed(row, text) && firstWay(row, text) < INSIDE

const firstWay = (row: SubscriberRow, text: string): number => WAYS.findIndex(({ isFound }) => isFound(row, text))

function positionIn(position: Position | null): { way: number; after: After | null } {
  if (position === null) return { way: 0, after: null }
  const [, value, id] = position
  return { way: integerAt(position, 0), after: { value: String(value), id: String(id) } }
}

async function readWay(
  handle: Handle,
  projectId: string,
  text: string,
  way: number,
  { after, limit }: { after: After | null; limit: number },
): Promise<SubscriberRow[]> {
  if (way === 0) {
    const row = after === null && isSubscriberId(text) ? await findById(handle, projectId, text) : null
    return row ? [row] : []
  }
  if (way === 3) return listByEmail(handle, projectId, { prefix: toEmailText(text), after, limit })
  const column = way === 1 ? 'appUserId' : 'deviceKey'
  return listByPrefix(handle, projectId, column, { prefix: text, after, limit })
}
