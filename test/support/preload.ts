import { afterAll } from 'bun:test'
import fc from 'fast-check'
import { cleanUp } from './cleanup'
import { SEED } from './laws'

// Loaded before every test file (bunfig.toml), so this hook runs at the end of the whole run. The test runner ends
// without an `exit` event.
afterAll(cleanUp)

// Two runs of the same commit try the same cases; SVC_LAW_SEED chooses others.
fc.configureGlobal({ seed: SEED })
