import type { Tx } from '../../base/context'
import type { DeliveryKindName } from '../deliveries/model'
import { closeTarget, openTarget, orderTarget } from '../deliveries/targets'
import type { EndpointSettings } from './model'
import { deleteEndpoint, type EndpointRow, insertEndpoint, updateEndpoint } from './queries'
import { OVERLAP_MS, sealAuthorization, sealSecret } from './secrets'

/** The `Authorization` value: a new one, none, or the one that is saved. */
export type NewAuthorization = { value: string } | 'none' | 'keep'

interface Draft {
  id: string
  projectId: string
  settings: EndpointSettings
  authorization: NewAuthorization
  /** The text of its signing secret. */
  secret: string
}

const targetOf = ({ id, projectId, isOrdered }: EndpointRow) => ({
  targetId: id,
  kind: 'WEBHOOK' as DeliveryKindName,
  projectId,
  isOrdered,
})

/** Writes a new endpoint. Dashboard, command line and project file make endpoints with it. */
export async function addEndpoint(tx: Tx, draft: Draft): Promise<EndpointRow> {
  const { id, projectId, settings, authorization, secret } = draft
  const now = tx.clock.now()
  const row: EndpointRow = {
    ...{ id, projectId, ...settings, ...sealSecret(tx, id, secret) },
    disabledReason: null,
    enabledAt: now,
    sealedPrevious: null,
    previousUntil: null,
    sealedAuthorization: sealedFor(tx, { id, sealedAuthorization: null }, authorization),
    createdAt: now,
    updatedAt: now,
  }
  await insertEndpoint(tx, row)
  if (row.isEnabled) await openTarget(tx, targetOf(row))
  return row
}

/**
 * Writes changed settings. An endpoint that is switched off ends what waits for it; one that is switched on gets the
 * events from now on, and is no longer disabled by the server.
 */
export async function changeEndpoint(
  tx: Tx,
  before: EndpointRow,
  settings: EndpointSettings,
  authorization: NewAuthorization,
): Promise<EndpointRow> {
  const now = tx.clock.now()
  const isSwitchedOn = settings.isEnabled && !before.isEnabled
  const row: EndpointRow = {
    ...before,
    ...settings,
    sealedAuthorization: sealedFor(tx, before, authorization),
    updatedAt: now,
    ...(isSwitchedOn && { disabledReason: null, enabledAt: now }),
  }
  await updateEndpoint(tx, row.id, row)
  if (isSwitchedOn) await openTarget(tx, targetOf(row))
  else if (!row.isEnabled && before.isEnabled) await closeTarget(tx, targetOf(row), 'endpoint_disabled')
  else if (row.isEnabled && row.isOrdered !== before.isOrdered) await orderTarget(tx, row.id, row.isOrdered)
  return row
}

/** Ends what waits for the endpoint, and deletes it. Its deliveries stay in the log. */
export async function removeEndpoint(tx: Tx, row: EndpointRow): Promise<void> {
  if (row.isEnabled) await closeTarget(tx, targetOf(row), 'endpoint_deleted')
  await deleteEndpoint(tx, row.id)
}

/** Gives the endpoint another secret; the present one signs for 24 hours more, and an older one no longer. */
export async function rotateEndpoint(tx: Tx, before: EndpointRow, secret: string): Promise<EndpointRow> {
  const now = tx.clock.now()
  const previous = { sealedPrevious: before.sealedSecret, previousUntil: now + OVERLAP_MS }
  const row = { ...before, ...sealSecret(tx, before.id, secret), ...previous, updatedAt: now }
  await updateEndpoint(tx, row.id, row)
  return row
}

function sealedFor(
  tx: Tx,
  { id, sealedAuthorization }: Pick<EndpointRow, 'id' | 'sealedAuthorization'>,
  authorization: NewAuthorization,
): string | null {
  if (authorization === 'keep') return sealedAuthorization
  return authorization === 'none' ? null : sealAuthorization(tx, id, authorization.value)
}
