import { afterAll } from 'bun:test'
import { cleanUp } from './cleanup'

// Loaded before every test file (bunfig.toml), so this hook runs at the end of the whole run. The test runner ends
// without an `exit` event.
afterAll(cleanUp)
