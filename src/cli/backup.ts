import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { filesBeside } from '../base/blobs/archive'
import { type Command, CommandFailure, UsageError } from '../base/cli/command'
import { assertPresent } from '../base/cli/database-file'
import { machineEnvironment } from '../base/cli/installation'
import { grouped } from '../base/cli/progress'
import { readConfig } from '../base/config'
import { monotonicMs, SECOND } from '../base/lib/clock'
import { backUpAll, type Made } from './backup-run'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'copy the whole database into one file, while the server runs',
  help: `
svc backup FILE [--force] [--data DIR] [--json]

  --force  replace FILE if it is there

Every table as it was at one moment, gzipped and with a check sum; svc restore puts it back, into a database of any
kind. Files of the data folder, such as the pictures of funnels, are copied into FILE.files beside it; those of a bucket
are not. Stored credentials stay sealed: keep SVC_MASTER_KEY, or master.key of the data folder, somewhere else.

Example: svc backup /var/backups/svc-$(date +%F).gz --data /var/lib/svc`,
  async run(args, io) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { data: { type: 'string' }, json: { type: 'boolean' }, force: { type: 'boolean' } },
    })
    const file = oneFile('backup', positionals)
    const config = readConfig(machineEnvironment(io, values), values)
    assertPresent(config)
    refuseOverwriting(file, values.force ?? false)
    const startedAtMs = monotonicMs()
    const made = await backUpAll(config, file, io)
    const seconds = (monotonicMs() - startedAtMs) / SECOND
    io.out(values.json ? JSON.stringify({ file, ...made, seconds }) : sentence(file, made, seconds))
    return 0
  },
}

function refuseOverwriting(file: string, isForced: boolean): void {
  const there = [file, filesBeside(file)].find((path) => existsSync(path))
  if (there !== undefined && !isForced)
    throw new CommandFailure('CONFLICT', `${there} is there already; choose another name, or replace it with --force.`)
}

/** The file that the command line names; a `UsageError` unless it names exactly one. */
export function oneFile(command: string, positionals: readonly string[]): string {
  const [file, ...more] = positionals
  if (file === undefined || file === '' || more.length > 0) throw new UsageError(`${command} takes one FILE`)
  return file
}

function sentence(file: string, { rows, bytes, files }: Made, seconds: number): string {
  return [
    `${file}: ${grouped(rows)} rows, ${megabytes(bytes)}, ${seconds.toFixed(1)} s.`,
    ...(files === null
      ? []
      : [
          `${files.file}: ${grouped(files.files)} stored files, ${megabytes(files.bytes)}. Keep both files in one folder.`,
        ]),
    'Stored credentials in it open only with the same SVC_MASTER_KEY (or master.key), which is not in the backup.',
  ].join('\n')
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
