const actions: (() => void)[] = []

/** Runs when the process ends, or when the whole test run ends (see preload.ts). */
export const atEnd = (action: () => void): void => {
  actions.push(action)
}

export function cleanUp(): void {
  for (const action of actions.splice(0)) action()
}

process.on('exit', cleanUp)
