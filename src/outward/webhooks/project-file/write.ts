import type { Tx } from '../../../base/context'
import { isChanged } from '../../../projects/project-file/pair'
import type { MadeSecret } from '../../../projects/project-file/secret'
import type { Writing } from '../../../projects/project-file/section'
import { addEndpoint, changeEndpoint, lockEndpoint, removeEndpoint } from '../endpoints'
import type { EndpointSettings } from '../model'
import { type EndpointRow, releaseNames } from '../queries'
import { newSecret } from '../secrets'
import { type EndpointState, WEBHOOK_ENDPOINTS } from './form'

interface Named {
  id: string
  name: string
  state: EndpointState
}

/** What a plan writes. The signing secrets of new endpoints are made before, so that they can be shown. */
export interface EndpointChanges {
  created: (Named & { secret: string })[]
  updated: (Named & { row: EndpointRow })[]
  deleted: EndpointRow[]
}

/** The members in the order of the file. */
export const endpointView = ({ newAuthorization: _, ...members }: EndpointState): Record<string, unknown> => members

interface Rows {
  saved: ReadonlyMap<string, { row: EndpointRow }>
}

export function changesOfEndpoints({ pairs, rows }: Writing<Rows, EndpointState>): EndpointChanges {
  const changes: EndpointChanges = { created: [], updated: [], deleted: [] }
  for (const pair of pairs.filter((each) => isChanged(each, endpointView))) {
    const { id, name, after: state } = pair
    const row = rows.saved.get(id)?.row
    if (state === null) changes.deleted.push(...(row ? [row] : []))
    else if (row) changes.updated.push({ id, name, state, row })
    else changes.created.push({ id, name, state, secret: newSecret() })
  }
  return changes
}

/** Deletes, then changes, then creates. Endpoints may exchange their names. */
export async function writeEndpoints(
  tx: Tx,
  projectId: string,
  { created, updated, deleted }: EndpointChanges,
): Promise<void> {
  for (const { id } of deleted) {
    const row = await lockEndpoint(tx, projectId, id)
    if (row) await removeEndpoint(tx, row)
  }
  await releaseNames(
    tx,
    updated.filter(({ name, row }) => name !== row.name).map(({ id }) => id),
  )
  for (const { id, name, state } of updated) {
    const row = await lockEndpoint(tx, projectId, id)
    if (row) await changeEndpoint(tx, row, settingsOf(name, state), state.newAuthorization)
  }
  for (const { id, name, state, secret } of created) {
    const authorization = state.newAuthorization
    await addEndpoint(tx, { id, projectId, settings: settingsOf(name, state), authorization, secret })
  }
}

export const madeSecrets = ({ created }: EndpointChanges): MadeSecret[] =>
  created.map(({ name, secret }) => ({ kind: WEBHOOK_ENDPOINTS.kind, ref: name, secret }))

const settingsOf = (name: string, { ordered: isOrdered, ...state }: EndpointState): EndpointSettings => ({
  ...{ name, url: state.url, eventTypes: state.eventTypes, environments: state.environments },
  ...{ isOrdered, format: state.format, isEnabled: state.isEnabled },
})
