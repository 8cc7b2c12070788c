import { createApp } from './app'
import type { Program } from './base/cli/command'
import { MIGRATIONS } from './base/db/migrations'
import { lazily } from './base/lib/lazily'
import type { Slice } from './base/slice'
import { commandsOf } from './cli/commands'
import { createContext, hooksOf, openDatabase } from './create-context'
import { startServer } from './server'
import { SLICES } from './slices'

/** A program that consists of the given slices. */
export function programOf(slices: readonly Slice[], migrations = MIGRATIONS): Program {
  const commands = lazily(() => commandsOf(slices))
  return {
    get commands() {
      return commands()
    },
    hooks: hooksOf(slices),
    createContext: (config, parts) => createContext(config, { ...parts, slices, migrations, commands }),
    openStorage: (config) => openDatabase(config, slices, migrations),
    createApp: (ctx, isWanted) => createApp(ctx, slices, isWanted),
    startServer: (ctx) => startServer(ctx, slices),
  }
}

/** The product. */
export const PROGRAM: Program = programOf(SLICES)
