/** Whether the work settles before `ms` of real time are over. Rejects when the work does. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  try {
    return await Promise.race([work.then(() => true), timeUp])
  } finally {
    clearTimeout(timer)
  }
}
