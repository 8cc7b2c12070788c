import type { Handle } from '../../base/db/handle'
import { sha256Hex } from '../../base/lib/hash'
import type { Log } from '../../base/lib/log'
import { flagName } from '../../core/flag/names'
import { hintsOf } from '../../core/rules/hints'
import { documentsIn, loadRemoteRows, type RemoteRows } from './queries'
import { compileRemote, type RemoteSnapshot, type StoredFault } from './snapshot'

/** Loads and compiles a project's remote configuration; what is broken in it is logged, once per load. */
export async function loadRemoteSnapshot(handle: Handle, log: Log, projectId: string): Promise<RemoteSnapshot> {
  const { snapshot, faults } = await readRemote(handle, projectId)
  for (const { kind, id, name, path, message } of faults)
    log.warn('stored targeting is broken and matches nobody', { projectId, kind, id, name, path, fault: message })
  return snapshot
}

export interface ReadRemote {
  snapshot: RemoteSnapshot
  /** What is broken in the tables. A broken object matches no subscriber; the others are not affected. */
  faults: NamedFault[]
  /**
   * Rules that mean something else since a list is compared by its items. Only `svc doctor` names them: none is broken.
   */
  changed: ChangedRule[]
}

export interface ChangedRule {
  /** `audience Payers` or `flag new_checkout (PROD)`. */
  name: string
  path: string
  message: string
}

export interface NamedFault extends StoredFault {
  /** The name of the object; null when that cannot be read either. */
  name: string | null
}

export async function readRemote(handle: Handle, projectId: string): Promise<ReadRemote> {
  const stored = await loadRemoteRows(handle, projectId)
  const { audiences, flags, experiments, members } = stored
  const fingerprint = fingerprintOf(stored)
  const { snapshot, faults } = compileRemote({
    fingerprint,
    // A broken audience must not count as missing: a rule whose audience is missing is skipped.
    audiences: [...audiences.rows, ...audiences.unreadable.map((id) => ({ id, rules: UNREADABLE }))],
    flags: flags.rows,
    experiments: experiments.rows,
    members: members.flatMap(({ audienceId, hashes }) => {
      const name = audiences.rows.find(({ id }) => id === audienceId)?.name
      return name === undefined ? [] : { name, hashes }
    }),
  })
  const names = namesOf(stored)
  const named = (fault: StoredFault): NamedFault => ({ ...fault, name: names.get(fault.id) ?? null })
  const earlier = documentsIn(audiences.rows, flags.rows).filter(({ updatedAt }) => updatedAt < LISTS_BY_ITEM_SINCE)
  const changed = earlier.flatMap(changesIn)
  return { snapshot, faults: [...faults, ...unreadable(stored)].map(named), changed }
}

/** The version that compares lists by their items is of this day: what was saved later was written for it. */
const LISTS_BY_ITEM_SINCE = Date.UTC(2026, 10, 29)

const changesIn = ({ name, path, document }: ReturnType<typeof documentsIn>[number]): ChangedRule[] =>
  hintsOf(document)
    .filter(({ reason }) => reason === 'LIST' || reason === 'LIST_TEXT')
    .map((hint) => ({ name, path: [path, hint.path].filter(Boolean).join(' '), message: hint.message }))

const namesOf = ({ audiences, flags, experiments }: RemoteRows): Map<string, string> =>
  new Map([
    ...audiences.rows.map(({ id, name }) => [id, name] as const),
    ...flags.rows.map(({ id, key, env }) => [id, flagName(key, env)] as const),
    ...experiments.rows.map(({ id, key }) => [id, key] as const),
  ])

/** The fingerprint of the rows: it differs after every committed change of one of them, and after nothing else. */
function fingerprintOf({ audiences, flags, experiments, members }: RemoteRows): string {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  const all = [audiences, flags, experiments].map(({ rows, unreadable: broken }) => [
    rows.toSorted(byId),
    broken.toSorted(),
  ])
  const lists = members.map(({ audienceId, size, updatedAt }) => [audienceId, size, updatedAt])
  return sha256Hex(JSON.stringify(lists.length === 0 ? all : [...all, lists]))
}

/** This is no rules document, so it matches no subscriber. */
const UNREADABLE = 'unreadable'

function unreadable({ flags, experiments }: RemoteRows): StoredFault[] {
  const fault = (kind: StoredFault['kind']) => (id: string) => ({ kind, id, path: kind, message: 'is no JSON' })
  return [...flags.unreadable.map(fault('flag')), ...experiments.unreadable.map(fault('experiment'))]
}
