const MOST_MS = 60_000
const PAUSE_MS = 50

/**
 * Waits until an expectation about a page holds: what a browser shows follows a click or an answer after a moment. One
 * that does not hold within a minute fails with its own message.
 */
export async function soon(expectation: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + MOST_MS; performance.now() < end; await Bun.sleep(PAUSE_MS))
    if (await holds(expectation)) return
  await expectation()
}

const holds = (expectation: () => Promise<unknown>): Promise<boolean> =>
  expectation().then(
    () => true,
    () => false,
  )
