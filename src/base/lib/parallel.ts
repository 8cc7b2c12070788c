/**
 * Runs `work` on each item in order, at most `width` at a time. After a failure no further item is started. It ends when
 * everything that was started has ended, and then throws the first failure.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const failures: unknown[] = []
  const workThrough = async () => {
    for (const item of left) {
      await work(item).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, workThrough))
  if (failures.length > 0) throw failures[0]
}
