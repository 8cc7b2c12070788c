import { afterAll } from 'bun:test'
import fc from 'fast-check'
import { hashCheaply } from './cheap-passwords'
import { cleanUp } from './cleanup'
import { recordCost } from './cost'
import { SEED } from './laws'
import { memoryFolder } from './memory-folder'
import { recordStatements } from './statements'

// Loaded before every test file (bunfig.toml), so this hook runs at the end of the whole run. The test runner ends
// without an `exit` event.
afterAll(cleanUp)

process.env.TMPDIR = memoryFolder()
hashCheaply()

// Two runs of the same commit try the same cases; SVC_LAW_SEED chooses others.
fc.configureGlobal({ seed: SEED })

// The names of files for the processor time and the statements of each test file. A test may start another run, which must
// not write there.
const { SVC_TEST_COST, SVC_TEST_STATEMENTS, SVC_TEST_BY_TEST } = process.env
delete process.env.SVC_TEST_COST
delete process.env.SVC_TEST_STATEMENTS
delete process.env.SVC_TEST_BY_TEST
if (SVC_TEST_COST) recordCost(SVC_TEST_COST)
if (SVC_TEST_STATEMENTS) recordStatements(SVC_TEST_STATEMENTS, SVC_TEST_BY_TEST === '1')
