import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ArchiveTotals } from '../base/blobs/archive'
import { type Command, CommandFailure, type Io } from '../base/cli/command'
import { machineEnvironment } from '../base/cli/installation'
import { grouped } from '../base/cli/progress'
import { stopSignal, withStorage } from '../base/cli/storage'
import { type Config, readConfig } from '../base/config'
import type { DumpHeader } from '../base/db/dump'
import { totalRows } from '../base/db/dump-write'
import { monotonicMs, SECOND } from '../base/lib/clock'
import { eraseAgain, erasedList } from '../moving/erasure/again'
import { ERASED_LIST, readLines } from '../moving/erasure/erased-list'
import { oneFile } from './backup'
import { check, load, putFiles, upgrade } from './restore-run'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'fill an empty database from a file that svc backup made',
  help: `
svc restore FILE [--without-files] [--data DIR] [--json]

  --without-files  only the database, where FILE.files is not there

The database may be of another kind than the one that was backed up, but must be empty: nothing is ever overwritten.
The file is checked as a whole before anything is written, and an interruption leaves the database empty. A backup of
an older svc is brought up to date. Stored files are put back from FILE.files beside it. Give the server the same SVC_MASTER_KEY (or master.key) as before.

Example: svc restore /var/backups/svc-2026-11-20.gz --data /var/lib/svc`,
  async run(args, io) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { data: { type: 'string' }, json: { type: 'boolean' }, 'without-files': { type: 'boolean' } },
    })
    const file = oneFile('restore', positionals)
    const config = readConfig(machineEnvironment(io, values), values)
    if (!existsSync(file)) throw new CommandFailure('NOT_FOUND', `There is no file ${file}.`)
    const startedAtMs = monotonicMs()
    const signal = stopSignal(io)
    const { header, files } = await check(file, { io, signal, withoutFiles: values['without-files'] ?? false })
    const migrated = await withStorage(io, config, async (storage) => {
      if (files !== null) await putFiles(storage, { config, file, header, files }, { io, signal })
      await load(storage, file, header, io, signal)
      return upgrade(storage, signal)
    })
    const hasList = existsSync(join(config.dataDir, ERASED_LIST))
    erasedList(config).add(readLines(header.erased ?? []))
    const erased = await eraseAgainAfterRestore(io, config)
    const result = {
      file,
      rows: totalRows(header),
      migrated,
      erased,
      hasErasedList: hasList,
      files,
      seconds: (monotonicMs() - startedAtMs) / SECOND,
    }
    io.out(values.json ? JSON.stringify(result) : sentence(result, header, config.dataDir))
    return 0
  },
}

/**
 * Erases everybody again who was erased after the backup. Without the master key of before nobody can be recognised; then
 * the first start of the server does it.
 */
async function eraseAgainAfterRestore(io: Io, config: Config): Promise<number> {
  const hasKey = config.masterKey instanceof Uint8Array || existsSync(join(config.dataDir, 'master.key'))
  if (!hasKey || erasedList(config).read().length === 0) return 0
  const ctx = await io.program.createContext(config, { clock: io.clock })
  try {
    return await eraseAgain(ctx)
  } finally {
    await ctx.close()
  }
}

interface Result {
  file: string
  rows: number
  migrated: string[]
  /** People who were erased again. */
  erased: number
  /** Whether a list of erased people lay in the data folder before. */
  hasErasedList: boolean
  files: ArchiveTotals | null
  seconds: number
}

function sentence(result: Result, { version, createdAt }: DumpHeader, dataDir: string): string {
  const { file, rows, migrated, erased, hasErasedList, files, seconds } = result
  return [
    `${file} of ${createdAt} (svc ${version}): ${grouped(rows)} rows restored in ${seconds.toFixed(1)} s.`,
    ...(files === null ? [] : [`${grouped(files.files)} stored files restored.`]),
    ...(migrated.length === 0 ? [] : [`Brought up to date: ${migrated.join(', ')}.`]),
    ...(erased === 0 ? [] : [`Erased again, because they were erased after the backup: ${grouped(erased)} people.`]),
    ...(hasErasedList
      ? []
      : [
          `Anybody who was erased after ${createdAt} is back, because ${join(dataDir, ERASED_LIST)} was not there. Copy ${ERASED_LIST} of the old folder to it, and the server erases them again when it starts.`,
        ]),
    'Give the server the SVC_MASTER_KEY (or master.key) of before, then check with: svc doctor',
  ].join('\n')
}
