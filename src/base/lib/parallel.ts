/** Runs `work` on each item in order, at most `width` at a time. The first failure stops everything. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const workThrough = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, workThrough))
}
