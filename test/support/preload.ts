import { afterAll } from 'bun:test'
import fc from 'fast-check'
import { cleanUp } from './cleanup'
import { recordCost } from './cost'
import { SEED } from './laws'
import { memoryFolder } from './memory-folder'
import { recordStatements } from './statements'

// Loaded before every test file (bunfig.toml), so this hook runs at the end of the whole run. The test runner ends
// without an `exit` event.
afterAll(cleanUp)

process.env.TMPDIR = memoryFolder()

// Two runs of the same commit try the same cases; SVC_LAW_SEED chooses others.
fc.configureGlobal({ seed: SEED })

// The name of a file for the processor time of each test file.
if (process.env.SVC_TEST_COST) recordCost(process.env.SVC_TEST_COST)

// The name of a file for the statements of each test file.
if (process.env.SVC_TEST_STATEMENTS) recordStatements(process.env.SVC_TEST_STATEMENTS)
