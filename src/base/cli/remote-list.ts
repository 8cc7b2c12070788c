import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Paged } from '../db/page'
import type { Remote, RemoteRequest } from './remote'

const MAX_PAGE = 200

interface ListOrder<Item extends TSchema> {
  item: Item
  query?: RemoteRequest<TSchema>['query']
  limit: number
}

/** The first `limit` items of a list on a server, which is read page by page. */
export async function listRemote<Item extends TSchema>(
  remote: Remote,
  path: string,
  { item, query = {}, limit }: ListOrder<Item>,
): Promise<Paged<Static<Item>>> {
  const data = Type.Object({ items: Type.Array(item), nextCursor: Type.Union([Type.String(), Type.Null()]) })
  const items: Static<Item>[] = []
  for (let cursor: string | undefined; ; ) {
    const page = { ...query, cursor, limit: Math.min(MAX_PAGE, limit - items.length) }
    // The type of a generic schema's value is not known here; the schema has checked it.
    const found = (await remote.call('GET', path, { data, query: page })) as RemotePage<Static<Item>>
    items.push(...found.items)
    const hasMore = found.nextCursor !== null
    if (!hasMore || items.length >= limit) return { items, hasMore }
    cursor = found.nextCursor ?? undefined
  }
}

interface RemotePage<Item> {
  items: Item[]
  nextCursor: string | null
}
