import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../owner'
import { scheduleFolder } from './address'

const NAME = /^\.upload-(\d+)-/

/**
 * A folder for files that wait for their upload. It is in the data folder, where there is one: a folder for temporary
 * files may be memory. What killed processes have left there is removed, because it holds data of people.
 */
export async function makeStaging(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) return mkdtemp(join(tmpdir(), 'svc-export-'))
  const folder = scheduleFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { recursive: true, force: true })
  }
  return mkdtemp(join(folder, `.upload-${process.pid}-`))
}
