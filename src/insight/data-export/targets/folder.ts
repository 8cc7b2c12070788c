import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportTarget } from './target'

/** A folder of this machine. Only its owner may read the files: they hold data of people. */
export async function folderTarget(folder: string): Promise<ExportTarget> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const partPath = (name: string) => join(folder, `.${name}.part`)
  const parts = new Set<string>()
  const place = async (name: string) => {
    await sync(partPath(name))
    await rename(partPath(name), join(folder, name))
    await sync(folder)
    parts.delete(name)
  }
  return {
    partPath: (name) => {
      parts.add(name)
      return partPath(name)
    },
    place,
    placeText: async (name, text) => {
      await writeFile(partPath(name), text, { mode: 0o600 })
      await place(name)
    },
    close: async () => {
      await Promise.all([...parts].map((name) => rm(partPath(name), { force: true })))
    },
  }
}

/** Afterwards a loss of power cannot undo it. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}
