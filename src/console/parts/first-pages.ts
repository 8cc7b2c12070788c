interface Page<I> {
  items: readonly I[]
  nextCursor: string | null
}

/** A list that is read page by page until it is over, has enough, or was asked so often that it may be endless. */
export async function firstPages<I>(
  readPage: (from: { cursor?: string }) => Promise<Page<I>>,
  isEnough: (items: readonly I[]) => boolean = () => false,
): Promise<{ items: I[]; isCut: boolean }> {
  const items: I[] = []
  let from: { cursor?: string } = {}
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await readPage(from)
    items.push(...page.items)
    if (page.nextCursor === null) return { items, isCut: false }
    if (isEnough(items)) break
    from = { cursor: page.nextCursor }
  }
  return { items, isCut: true }
}

const MOST_PAGES = 5
