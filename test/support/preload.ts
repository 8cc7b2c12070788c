import { afterAll } from 'bun:test'
import { cleanUp } from './cleanup'

// Loaded before every test file (bunfig.toml), so this is a hook of the run: the runner leaves without an `exit` event.
afterAll(cleanUp)
