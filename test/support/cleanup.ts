import { afterAll } from 'bun:test'

const actions: (() => void)[] = []

/** Runs when the whole run of tests ends: the runner leaves without an `exit` event. */
export const atEnd = (action: () => void): void => {
  actions.push(action)
}

// Loaded before every test file (bunfig.toml): a hook of the run, not of a file.
afterAll(() => {
  for (const action of actions) action()
})
