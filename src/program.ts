import { createApp } from './app'
import type { Program } from './base/cli/command'
import { MIGRATIONS } from './base/db/migrations'
import type { Slice } from './base/slice'
import { commandsOf } from './cli/commands'
import { createContext, openDatabase } from './create-context'
import { startServer } from './server'
import { SLICES } from './slices'

/** A program of some slices, as its commands see it. */
export const programOf = (slices: readonly Slice[], migrations = MIGRATIONS): Program => ({
  commands: commandsOf(slices),
  examinations: slices.flatMap(({ doctor }) => doctor ?? []),
  createContext: (config, parts) => createContext(config, { ...parts, slices, migrations }),
  openStorage: (config) => openDatabase(config, slices, migrations),
  createApp: (ctx) => createApp(ctx, slices),
  startServer: (ctx) => startServer(ctx, slices),
})

/** The product. */
export const PROGRAM: Program = programOf(SLICES)
