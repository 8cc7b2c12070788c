import { basename } from 'node:path'
import { CommandFailure } from '../../../base/cli/command'
import { isRunning } from '../machine'
import type { ImportView } from '../views'
import type { OnPosition } from './target'

/** A file of this machine. */
export async function openFile(path: string) {
  const file = Bun.file(path)
  if (!(await file.exists())) throw new CommandFailure('NOT_FOUND', `There is no file ${path}.`)
  return { file, fileName: basename(path).slice(-255) }
}

const POLL_MS = 500

/** Looks at an import until no process works on it any more. */
export async function untilEnded(
  show: () => Promise<ImportView>,
  onPosition: OnPosition,
  signal: AbortSignal,
): Promise<ImportView> {
  for (;;) {
    const view = await show()
    if (!isRunning(view.status)) return view
    onPosition({ counters: view.counters, checkpoint: null })
    if (signal.aborted) throw new CommandFailure('HTTP_ERROR', goesOn(view.id))
    await Bun.sleep(POLL_MS)
  }
}

const goesOn = (id: string): string =>
  `The import goes on without this command; see: svc import show ${id}. To end it: svc import cancel ${id}.`
