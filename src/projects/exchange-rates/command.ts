import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { reasonOf } from '../../base/cli/reason'
import { CLI_ACTOR } from '../audit/audit'
import { RateFileFault } from './file-fault'
import { loadRates } from './load'
import { rateStatus } from './status'
import { statusText } from './status-text'

export const ratesCommand: Command = {
  name: 'rates',
  summary: 'exchange rates: what is known, what waits for a rate, load a file',
  help: `
svc rates status
svc rates load FILE

A running server fetches the daily rates of the European Central Bank (SVC_FX_URL); for other currencies svc contains
rates of one day a month. Rates of your own come from a file: CSV with the header date,currency,usd_per_unit, or the central bank's XML. A file is taken whole or
not at all. Loaded rates win over fetched ones of the same day and currency. Transactions that waited for a rate get their
amount in dollars from the running server.

  --data DIR, --json

Example: svc rates load rates.csv`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, file, ...more] = positionals
    if (action === 'status' && file === undefined) return status(io, values)
    if (action === 'load' && file !== undefined && more.length === 0) return load(io, values, file)
    throw new UsageError('rates takes status, or load FILE')
  },
}

const options = { data: { type: 'string' }, json: { type: 'boolean' } } as const

interface Values {
  data?: string | undefined
  json?: boolean | undefined
}

const status = (io: Io, values: Values): Promise<number> =>
  withContext(io, values, async (ctx) => {
    const { config, hooks } = ctx
    const table = await ctx.state.exchangeRates.current(ctx)
    const found = await rateStatus(ctx, { config, hooks, now: ctx.clock.now(), table })
    io.out(values.json ? JSON.stringify(found) : statusText(found))
    return 0
  })

function load(io: Io, values: Values, path: string): Promise<number> {
  return withContext(io, values, async (ctx) => {
    const bytes = readRateFile(path)
    try {
      const saved = await loadRates(ctx, CLI_ACTOR, { name: basename(path), bytes })
      const { added, corrected, equal } = saved
      io.out(values.json ? JSON.stringify({ new: added, changed: corrected, equal }) : told(added, corrected, equal))
      return 0
    } catch (error) {
      if (!(error instanceof RateFileFault)) throw error
      throw new CommandFailure('VALIDATION_ERROR', `${path}: ${error.message}. Nothing was loaded.`)
    }
  })
}

const told = (added: number, corrected: number, equal: number): string =>
  `${added} new, ${corrected} changed, ${equal} equal.`

const MAX_FILE_BYTES = 64 * 1024 * 1024

function readRateFile(path: string): Uint8Array {
  try {
    if (statSync(path).size > MAX_FILE_BYTES)
      throw new CommandFailure('VALIDATION_ERROR', `${path} is larger than 64 MiB.`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure('VALIDATION_ERROR', `${path} cannot be read (${reasonOf(error)}).`)
  }
}
