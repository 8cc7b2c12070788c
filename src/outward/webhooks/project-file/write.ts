import type { Tx } from '../../../base/context'
import { isChanged } from '../../../projects/project-file/pair'
import type { MadeSecret } from '../../../projects/project-file/secret'
import type { Writing } from '../../../projects/project-file/section'
import { addEndpoint, changeEndpoint, removeEndpoint } from '../endpoints'
import { type EndpointRow, releaseNames } from '../queries'
import { newSecret } from '../secrets'
import { type EndpointFileState, endpointView, WEBHOOK_ENDPOINTS } from './model'
import type { EndpointRows } from './plan'

interface Named {
  id: string
  name: string
  state: EndpointFileState
}

/** What a plan writes. The signing secrets of new endpoints are made before, so that they can be shown. */
export interface EndpointChanges {
  created: (Named & { secret: string })[]
  updated: (Named & { row: EndpointRow })[]
  deleted: EndpointRow[]
}

export function changesOfEndpoints({ pairs, rows }: Writing<EndpointRows, EndpointFileState>): EndpointChanges {
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
  for (const row of deleted) await removeEndpoint(tx, row)
  await releaseNames(
    tx,
    updated.filter(({ name, row }) => name !== row.name).map(({ id }) => id),
  )
  for (const { name, state, row } of updated)
    await changeEndpoint(tx, row, { ...state.settings, name }, state.newAuthorization)
  for (const { id, name, state, secret } of created) {
    const settings = { ...state.settings, name }
    await addEndpoint(tx, { id, projectId, settings, authorization: state.newAuthorization, secret })
  }
}

export const madeSecrets = ({ created }: EndpointChanges): MadeSecret[] =>
  created.map(({ name, secret }) => ({ kind: WEBHOOK_ENDPOINTS.kind, ref: name, secret }))
