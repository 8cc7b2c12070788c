import type { Storage } from './db/handle'
import { migrationStatus } from './db/migrate'
import { slice } from './slice'

export const database = slice({
  name: 'database',
  cachedRows: { migrations: 'NOBODY' },
  personalData: { migrations: 'NOTHING' },
  readiness: { migrations: ({ storage }) => assertMigrated(storage) },
})

async function assertMigrated(storage: Storage): Promise<void> {
  const missing = (await migrationStatus(storage)).filter(({ isApplied }) => !isApplied)
  if (missing.length > 0) throw new Error(`${missing.length} migrations are not applied`)
}
