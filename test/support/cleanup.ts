const actions: (() => void)[] = []

/** Runs when the process ends, or the whole run of tests (see preload.ts). */
export const atEnd = (action: () => void): void => {
  actions.push(action)
}

export function cleanUp(): void {
  for (const action of actions.splice(0)) action()
}

process.on('exit', cleanUp)
