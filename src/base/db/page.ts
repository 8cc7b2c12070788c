/** Which part of a list to read, newest first. */
export interface Page {
  /** Only rows that were created before this one. */
  beforeId?: string | undefined
  limit: number
}

export interface Paged<Item> {
  items: Item[]
  hasMore: boolean
}

/** Reads one row more than `limit`; this row shows whether there are more. */
export async function paged<Item>({ limit }: Page, read: (limit: number) => Promise<Item[]>): Promise<Paged<Item>> {
  const rows = await read(limit + 1)
  return { items: rows.slice(0, limit), hasMore: rows.length > limit }
}
