import type { Handle } from '../db/handle'
import type { Log } from '../lib/log'
import { loadRemoteRows } from './queries'
import { compileRemote, type RemoteSnapshot } from './snapshot'

/** A project's remote configuration, ready to be asked; what is broken in it is told in the log, once per load. */
export async function loadRemoteSnapshot(handle: Handle, log: Log, projectId: string): Promise<RemoteSnapshot> {
  const { snapshot, faults } = compileRemote(await loadRemoteRows(handle, projectId))
  for (const { kind, id, path, message } of faults)
    log.warn('stored targeting is broken and matches nobody', { projectId, kind, id, path, fault: message })
  return snapshot
}
