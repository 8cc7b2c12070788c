import { Type } from '@sinclair/typebox'
import { Int64 } from '../../base/http/int64-schema'
import { listQuery } from '../../base/http/list'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { STATUSES } from '../../core/purchase/status'
import { oneOf } from '../../core/schema/object'
import { HIT_KINDS, type Hit } from '../../projects/project/search-hook'
import type { ProjectState } from '../../projects/project/state'
import { PersonRefSchema, ProductRefSchema, toPersonRef } from '../purchases/person-ref'
import { statusAt } from '../purchases/status'
import { MoneySchema, PurchaseViewSchema, toPurchaseView } from '../purchases/wire'
import { AccessMapSchema } from '../subscribers/access-map'
import type { SubscriberRow } from '../subscribers/service'
import { toSubscriberView } from '../subscribers/wire'
import type { ListedPerson } from './list'
import type { Person } from './person'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

const ENVIRONMENTS = ['PRODUCTION', 'SANDBOX'] as const

const SearchText = Type.String({ minLength: 2, maxLength: 255, description: 'A name, or the beginning of one' })

export const SearchQuery = Type.Object({ q: SearchText }, strict)

/** Only purchases and transactions have them. */
const saleMembers = {
  subscriberId: Type.Optional(textOrNull),
  purchaseId: Type.Optional(Type.String()),
  person: Type.Optional(Type.Union([PersonRefSchema, Type.Null()])),
  product: Type.Optional(Type.Union([ProductRefSchema, Type.Null()])),
  store: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  amount: Type.Optional(Type.Union([MoneySchema, Type.Null()])),
  date: Type.Optional(time),
}

export const HitSchema = Type.Object(
  {
    kind: oneOf(HIT_KINDS),
    id: Type.String(),
    title: Type.String(),
    subtitle: textOrNull,
    ...saleMembers,
  },
  { ...strict, title: 'SearchHit' },
)

export const toHitView = ({ kind, id, title, subtitle, sale }: Hit) => ({
  ...{ kind, id, title, subtitle },
  ...(sale ? { ...sale, date: toIso(sale.date) } : {}),
})

export const PeopleQuery = Type.Object(
  {
    ...listQuery,
    q: Type.Optional(SearchText),
    access: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Has this access now' })),
    status: Type.Optional(oneOf(STATUSES)),
    platform: Type.Optional(oneOf(['ios', 'android', 'web'])),
    audienceId: Type.Optional(Type.String({ maxLength: 64, description: 'Belongs to this audience now' })),
    environment: Type.Optional(
      oneOf(ENVIRONMENTS, {
        description: 'SANDBOX: who bought only in the sandbox; PRODUCTION: everybody else. Absent: both',
      }),
    ),
  },
  strict,
)

const LeadingAccess = Type.Union([Type.String(), Type.Null()], {
  description:
    'Identifier of the access that matters most: an active one, of several that of the newest purchase; else the one that was lost last',
})

export const ListedSubscriber = Type.Object(
  {
    id: Type.String(),
    appUserId: textOrNull,
    deviceKey: Type.String(),
    person: PersonRefSchema,
    access: Type.Array(Type.String({ description: 'Access identifier' })),
    leadingAccess: LeadingAccess,
    environment: oneOf(ENVIRONMENTS),
    firstSeenAt: time,
    lastSeenAt: time,
    lifetimeSpend: MoneySchema,
    createdAt: time,
    updatedAt: time,
  },
  { ...strict, title: 'ListedSubscriber' },
)

export const toListedView = ({ row, access, leadingAccess, country, environment, spentMicros }: ListedPerson) => ({
  id: row.id,
  appUserId: row.appUserId,
  deviceKey: row.deviceKey,
  person: toPersonRef(row, country),
  access,
  leadingAccess,
  environment,
  firstSeenAt: toIso(row.firstSeenAt),
  lastSeenAt: toIso(row.lastSeenAt),
  lifetimeSpend: { amountMicros: spentMicros, currency: 'USD' },
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

const Variant = Type.Object(
  {
    experimentId: Type.String(),
    key: Type.String(),
    variantId: Type.String(),
    assignedAt: time,
    exposedAt: timeOrNull,
  },
  { ...strict, title: 'HeldVariant' },
)

const Attribute = Type.Object(
  { key: Type.String(), value: Type.String(), source: Type.String(), updatedAt: time },
  { ...strict, title: 'SubscriberAttribute' },
)

const Alias = Type.Object(
  { id: Type.String(), deviceKey: Type.String(), createdAt: time },
  { ...strict, title: 'SubscriberAlias' },
)

const PersonSchema = Type.Object(
  {
    id: Type.String(),
    appUserId: textOrNull,
    attributes: Type.Record(Type.String(), Type.String()),
    deviceKey: textOrNull,
    firstSeenAt: time,
    lastSeenAt: time,
    createdAt: time,
    updatedAt: time,
    revision: Type.Integer({ description: 'Grows by 1 with every change of the dashboard' }),
  },
  { ...strict, title: 'SubscriberDetails' },
)

export const PersonAnswer = Type.Object(
  {
    data: Type.Object(
      {
        subscriber: PersonSchema,
        access: AccessMapSchema,
        leadingAccess: LeadingAccess,
        environment: oneOf(ENVIRONMENTS),
        purchases: Type.Array(PurchaseViewSchema, { description: 'Newest first, at most 500' }),
        balances: Type.Record(Type.String(), Int64()),
        assignments: Type.Array(Variant),
        attributes: Type.Array(Attribute),
        aliases: Type.Array(Alias, { description: 'Subscribers that were merged into this one, at most 200' }),
        mergedInto: textOrNull,
        erased: Type.Boolean(),
      },
      { ...strict, title: 'SubscriberWithAll' },
    ),
  },
  strict,
)

export function toPersonView(project: ProjectState, person: Person, revision: number, now: number) {
  const { row, access, leadingAccess, environment, purchases, balances, variants, merged } = person
  return {
    subscriber: { ...toDetails(row), revision },
    access,
    leadingAccess,
    environment,
    purchases: purchases.map((one) => toPurchaseView(project, one, statusAt(one.fold, now))),
    balances,
    assignments: variants.map(({ assignedAt, exposedAt, ...held }) => ({
      ...held,
      assignedAt: toIso(assignedAt),
      exposedAt: toIsoOrNull(exposedAt),
    })),
    attributes: row.erasedAt === null ? listAttributes(row) : [],
    aliases: merged.map(({ id, deviceKey, createdAt }) => ({ id, deviceKey, createdAt: toIso(createdAt) })),
    mergedInto: row.mergedInto,
    erased: row.erasedAt !== null,
  }
}

const toDetails = (row: SubscriberRow) => ({
  ...toSubscriberView(row),
  deviceKey: row.erasedAt === null ? row.deviceKey : null,
  firstSeenAt: toIso(row.firstSeenAt),
  lastSeenAt: toIso(row.lastSeenAt),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

const listAttributes = ({ attributes }: SubscriberRow) =>
  Object.entries(attributes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { value, source, updatedAt }]) => ({ key, value, source, updatedAt: toIso(updatedAt) }))
