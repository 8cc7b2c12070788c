const actions: (() => unknown)[] = []

/** Runs when the process ends, or when the whole test run ends (see preload.ts), which waits for it. */
export const atEnd = (action: () => unknown): void => {
  actions.push(action)
}

export async function cleanUp(): Promise<void> {
  await Promise.all(actions.splice(0).map((action) => action()))
}

process.on('exit', () => void cleanUp())
