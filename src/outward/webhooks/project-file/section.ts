import { contentByName } from '../../../core/project-file/content'
import { objects } from '../../../projects/project-file/form'
import type { Saved, Wanted } from '../../../projects/project-file/model'
import { live, planObjects, savedAs } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import { type KeptSecret, variableFor } from '../../../projects/project-file/secret'
import type { Checking, Planning, Section } from '../../../projects/project-file/section'
import { savedWord } from '../audit-entry'
import { MAX_ENDPOINTS } from '../model'
import { type EndpointRow, listEndpoints } from '../queries'
import { openAuthorization } from '../secrets'
import { ENDPOINT, type EndpointState, NAMING, type WantedEndpoint, WEBHOOK_ENDPOINTS } from './form'
import { inspectEndpoints } from './inspect'
import { changesOfEndpoints, type EndpointChanges, endpointView, madeSecrets, writeEndpoints } from './write'

/** A saved endpoint. */
interface EndpointInFile {
  row: EndpointRow
  /** Null when there is none, or when this master key cannot open it. */
  authorization: string | null
}

interface EndpointRows {
  /** By id. */
  saved: ReadonlyMap<string, EndpointInFile>
  /** Whether secrets can be encrypted. */
  hasVault: boolean
}

/** The webhook endpoints of a project. The server makes their signing secrets; no file contains one. */
export const endpointSection: Section<WantedEndpoint, EndpointRows, EndpointState, EndpointChanges> = {
  key: WEBHOOK_ENDPOINTS,
  idPrefix: 'whe',
  takenCode: 'IDENTIFIER_TAKEN',
  holdsJson: true,
  parse: objects(ENDPOINT.from, NAMING),
  inspect: inspectEndpoints,
  async load({ handle, vault, project }) {
    const rows = await listEndpoints(handle, project.id)
    const saved = rows.map((row) => [row.id, { row, authorization: openAuthorization({ vault }, row) }] as const)
    return { saved: new Map(saved), hasVault: vault !== null }
  },
  names: ({ saved }) => new Map([...saved].map(([id, { row }]) => [id, row.name])),
  current: ({ saved }, names) =>
    [...saved.values()].map(({ row }) => savedAs(names.of(WEBHOOK_ENDPOINTS), row.id, row.name, savedState(row))),
  plan,
  keptSecrets,
  check,
  named: (name) => ({ name }),
  view: endpointView,
  rows: changesOfEndpoints,
  write: writeEndpoints,
  madeSecrets,
  content: (saved) => {
    const written = saved.map(({ name, state }) => ({ name, state: withVariable(name, state) }))
    return saved.length === 0 ? undefined : contentByName(written, ENDPOINT.write)
  },
}

const savedState = (row: EndpointRow): EndpointState => ({
  ...ENDPOINT.pick({ ...row, ordered: row.isOrdered, authorization: savedWord(row) }),
  newAuthorization: 'keep',
})

/** The variable that an exported file names in place of the value: `WEBHOOK_BACKEND_AUTHORIZATION`. */
function withVariable(name: string, { newAuthorization: _, authorization, ...state }: EndpointState): WantedEndpoint {
  const variable = `WEBHOOK_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_AUTHORIZATION`
  return { ...state, authorization: authorization && variableFor(variable) }
}

function plan({ wanted, saved, rows, prune }: Planning<WantedEndpoint, EndpointRows, EndpointState>) {
  const objectsOf = wanted?.map((one) => ({ ...one, state: wantedState(one.state, findSaved(one, saved, rows)) }))
  return planObjects({ saved, prune, wanted: objectsOf ?? null })
}

const findSaved = (
  { name }: Wanted<unknown>,
  saved: readonly Saved<EndpointState>[],
  rows: EndpointRows,
): EndpointInFile | null => rows.saved.get(saved.find((one) => one.name === name)?.id ?? '') ?? null

function wantedState({ authorization: given, ...state }: WantedEndpoint, saved: EndpointInFile | null): EndpointState {
  if (given === null) return { ...state, authorization: null, newAuthorization: 'none' }
  const isSame = 'missing' in given || given.value === saved?.authorization
  if (isSame) return { ...state, authorization: saved && savedWord(saved.row), newAuthorization: 'keep' }
  return { ...state, authorization: '(new)', newAuthorization: given }
}

/** The `Authorization` values whose placeholders could not be read. */
function keptSecrets(wanted: readonly Wanted<WantedEndpoint>[], { saved }: EndpointRows): KeptSecret[] {
  return wanted.flatMap(({ name, was, state: { authorization } }) => {
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
}

/** The problems of more endpoints than ten, and of secrets on a deployment that cannot encrypt them. */
function check({ pairs, rows }: Checking<WantedEndpoint, EndpointRows, EndpointState>): Problem[] {
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
