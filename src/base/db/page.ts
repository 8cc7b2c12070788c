/** A part of a list, the newest first. */
export interface Page {
  /** Only what was made before this one. */
  beforeId?: string | undefined
  limit: number
}

export interface Paged<Item> {
  items: Item[]
  hasMore: boolean
}

/** One more is read than asked for, which tells whether there are more. */
export async function paged<Item>({ limit }: Page, read: (limit: number) => Promise<Item[]>): Promise<Paged<Item>> {
  const rows = await read(limit + 1)
  return { items: rows.slice(0, limit), hasMore: rows.length > limit }
}
