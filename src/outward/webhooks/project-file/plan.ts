import type { Saved, Wanted } from '../../../projects/project-file/model'
import { live, planObjects } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import type { KeptSecret } from '../../../projects/project-file/secret'
import type { Checking, Planning } from '../../../projects/project-file/section'
import { savedWord } from '../audit-entry'
import { MAX_ENDPOINTS } from '../model'
import type { EndpointRow } from '../queries'
import { settingsOf } from '../settings'
import { type EndpointFileState, type WantedEndpoint, WEBHOOK_ENDPOINTS } from './model'

/** A saved endpoint. */
export interface EndpointInFile {
  row: EndpointRow
  /** Null when there is none, or when this master key cannot open it. */
  authorization: string | null
}

export interface EndpointRows {
  /** By id. */
  saved: ReadonlyMap<string, EndpointInFile>
  /** Whether secrets can be encrypted. */
  hasVault: boolean
}

export function savedState(row: EndpointRow): EndpointFileState {
  const { name: _name, ...settings } = settingsOf(row)
  return { settings, authorization: savedWord(row), newAuthorization: 'keep' }
}

export const planEndpoints = ({
  wanted,
  saved,
  rows,
  prune,
}: Planning<WantedEndpoint, EndpointRows, EndpointFileState>) =>
  planObjects({
    saved,
    prune,
    wanted: wanted?.map((one) => ({ ...one, state: wantedState(one.state, findSaved(one, saved, rows)) })) ?? null,
  })

const findSaved = (
  { name }: Wanted<unknown>,
  saved: readonly Saved<EndpointFileState>[],
  rows: EndpointRows,
): EndpointInFile | null => rows.saved.get(saved.find((one) => one.name === name)?.id ?? '') ?? null

function wantedState(
  { settings, authorization: given }: WantedEndpoint,
  saved: EndpointInFile | null,
): EndpointFileState {
  if (given === null) return { settings, authorization: null, newAuthorization: 'none' }
  const isSame = 'missing' in given || given.value === saved?.authorization
  if (isSame) return { settings, authorization: saved && savedWord(saved.row), newAuthorization: 'keep' }
  return { settings, authorization: '(new)', newAuthorization: given }
}

/** The `Authorization` values whose placeholders could not be read. */
export const keptAuthorizations = (wanted: readonly Wanted<WantedEndpoint>[], { saved }: EndpointRows): KeptSecret[] =>
  wanted.flatMap(({ name, was, state: { authorization } }) => {
    if (authorization === null || !('missing' in authorization)) return []
    const known = [...saved.values()].find(({ row }) => row.name === name || row.name === was)
    return [
      {
        place: `${WEBHOOK_ENDPOINTS.name}.${name}`,
        kind: WEBHOOK_ENDPOINTS.kind,
        ref: name,
        path: 'authorization',
        reason: authorization.missing,
        isSaved: (known?.row.sealedAuthorization ?? null) !== null,
      },
    ]
  })

/** The problems of more endpoints than ten, and of secrets on a deployment that cannot encrypt them. */
export function checkEndpoints({ pairs, rows }: Checking<WantedEndpoint, EndpointRows, EndpointFileState>): Problem[] {
  const problems: Problem[] = []
  const there = live(pairs)
  const isGrowing = there.some(({ before }) => before === null)
  if (isGrowing && there.length > MAX_ENDPOINTS) {
    const message = `${there.length} webhook endpoints, but at most ${MAX_ENDPOINTS}`
    const details = { limit: MAX_ENDPOINTS }
    problems.push(problem([WEBHOOK_ENDPOINTS.name], message, 'WEBHOOK_ENDPOINT_LIMIT', details))
  }
  const sealing = there.filter(({ before, after }) => before === null || typeof after.newAuthorization === 'object')
  const [first] = rows.hasVault ? [] : sealing
  if (first) {
    const details = { feature: 'credential_encryption' }
    const message = 'There is no master key to encrypt the secrets of webhook endpoints with'
    problems.push(problem(first.path ?? [WEBHOOK_ENDPOINTS.name], message, 'FEATURE_NOT_CONFIGURED', details))
  }
  return problems
}
