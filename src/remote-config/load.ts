import type { Handle } from '../db/handle'
import type { Log } from '../lib/log'
import { loadRemoteRows, type RemoteRows } from './queries'
import { compileRemote, type RemoteSnapshot, type StoredFault } from './snapshot'

/** A project's remote configuration, ready to be asked; what is broken in it is told in the log, once per load. */
export async function loadRemoteSnapshot(handle: Handle, log: Log, projectId: string): Promise<RemoteSnapshot> {
  const stored = await loadRemoteRows(handle, projectId)
  const { audiences, flags, experiments } = stored
  const { snapshot, faults } = compileRemote({
    // An audience that is there and broken must not pass for one that is missing: that would skip the rule.
    audiences: [...audiences.rows, ...audiences.unreadable.map((id) => ({ id, rules: UNREADABLE }))],
    flags: flags.rows,
    experiments: experiments.rows,
  })
  for (const { kind, id, path, message } of [...faults, ...unreadable(stored)])
    log.warn('stored targeting is broken and matches nobody', { projectId, kind, id, path, fault: message })
  return snapshot
}

/** No rules document: it matches nobody. */
const UNREADABLE = 'unreadable'

function unreadable({ flags, experiments }: RemoteRows): StoredFault[] {
  const fault = (kind: StoredFault['kind']) => (id: string) => ({ kind, id, path: kind, message: 'is no JSON' })
  return [...flags.unreadable.map(fault('flag')), ...experiments.unreadable.map(fault('experiment'))]
}
