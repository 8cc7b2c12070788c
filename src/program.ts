import { createApp } from './app'
import type { Program } from './base/cli/command'
import { MIGRATIONS } from './base/db/migrations'
import type { Slice } from './base/slice'
import { commandsOf } from './cli/commands'
import { createContext, hooksOf, openDatabase } from './create-context'
import { startServer } from './server'
import { SLICES } from './slices'

/** A program that consists of the given slices. */
export const programOf = (slices: readonly Slice[], migrations = MIGRATIONS): Program => ({
  commands: commandsOf(slices),
  hooks: hooksOf(slices),
  createContext: (config, parts) =>
    createContext(config, { ...parts, slices, migrations, commands: commandsOf(slices) }),
  openStorage: (config) => openDatabase(config, slices, migrations),
  createApp: (ctx) => createApp(ctx, slices),
  startServer: (ctx) => startServer(ctx, slices),
})

/** The product. */
export const PROGRAM: Program = programOf(SLICES)
