import { Type } from '@sinclair/typebox'
import type { Handle } from '../../base/db/handle'
import type { ScannedPage } from '../../base/http/scan'
import type { PersonRef, ProductRef } from '../../projects/project/refs'
import type { ProjectState } from '../../projects/project/state'
import { listRowsById, type SubscriberRow } from '../subscribers/service'
import { listCountries } from './list-queries'

const strict = { additionalProperties: false } as const
const textOrNull = Type.Union([Type.String(), Type.Null()])

/** A person in the rows of lists. */
export const PersonRefSchema = Type.Object(
  {
    subscriberId: Type.String(),
    appUserId: textOrNull,
    deviceKey: textOrNull,
    email: textOrNull,
    displayName: textOrNull,
    country: Type.Union([Type.String(), Type.Null()], {
      description: 'ISO 3166-1 alpha-2: of the storefront of the newest purchase',
    }),
  },
  { ...strict, title: 'PersonRef' },
)

/** Erased people have no name. */
export function toPersonRef(row: SubscriberRow, country: string | null): PersonRef {
  const isErased = row.erasedAt !== null
  const own = isErased ? {} : row.attributes
  return {
    subscriberId: row.id,
    appUserId: row.appUserId,
    deviceKey: isErased ? null : row.deviceKey,
    email: own.$email?.value ?? null,
    displayName: own.$displayName?.value ?? null,
    country,
  }
}

/** The people with these ids, by id; ids of no subscriber of the project are left out. */
export async function listPersonRefs(
  handle: Handle,
  projectId: string,
  subscriberIds: Iterable<string | null>,
): Promise<Map<string, PersonRef>> {
  const ids = [...new Set(subscriberIds)].filter((id): id is string => id !== null && id !== '')
  const [rows, countries] = await Promise.all([listRowsById(handle, projectId, ids), listCountries(handle, ids)])
  return new Map(rows.map((row) => [row.id, toPersonRef(row, countries.get(row.id) ?? null)]))
}

/** How a product is called in the rows of lists. */
export const ProductRefSchema = Type.Object(
  { id: Type.String(), identifier: Type.String(), name: Type.String() },
  { ...strict, title: 'ProductRef' },
)

export function toProductRef({ catalog }: ProjectState, productId: string | null): ProductRef | null {
  const product = productId === null ? undefined : catalog.products.get(productId)
  return product ? { id: product.id, identifier: product.identifier, name: product.displayName } : null
}

/** A row of a list, with who it is about. */
export interface Named<Row> {
  row: Row
  person: PersonRef | null
}

/** The rows of a page with the people that they are about. */
export async function namedPage<Row extends { subscriberId: string | null }>(
  handle: Handle,
  projectId: string,
  { rows, next }: ScannedPage<Row>,
): Promise<ScannedPage<Named<Row>>> {
  const people = await listPersonRefs(
    handle,
    projectId,
    rows.map(({ subscriberId }) => subscriberId),
  )
  return { rows: rows.map((row) => ({ row, person: people.get(row.subscriberId ?? '') ?? null })), next }
}
