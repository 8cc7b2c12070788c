import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { DailyAt } from '../../base/jobs/daily'
import { oneOf } from '../../core/schema/object'
import { FINDING_KINDS } from './core/model'
import { MAX_RATE, MAX_SAMPLE, RUN_STATUSES, VENDORS } from './model'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const Count = Type.Integer({ minimum: 0 })

export const ROW_KINDS = [...FINDING_KINDS, 'FAULT'] as const

export const CompareListQuery = Type.Object(listQuery, strict)

const kind = Type.Optional(
  oneOf(ROW_KINDS, { description: 'Only this kind; FAULT: people whose answer could not be read' }),
)

export const FindingListQuery = Type.Object({ ...listQuery, kind }, strict)
export const FindingFileQuery = Type.Object({ kind }, strict)

const Rate = Type.Number({ minimum: 0.1, maximum: MAX_RATE, description: 'Requests per second. Default: 1' })
const Sample = orNull(
  Type.Integer({
    minimum: 1,
    maximum: MAX_SAMPLE,
    description: 'How many people, the same ones each time; null = all',
  }),
)
const Key = Type.String({ minLength: 8, maxLength: 512, description: "The vendor's key. Never shown again" })
const Url = orNull(
  Type.String({ maxLength: 600, description: "https address in place of the vendor's own; null = the vendor's" }),
)

const common = {
  vendor: oneOf(VENDORS),
  url: Type.Optional(Url),
  sample: Type.Optional(Sample),
  rate: Type.Optional(Rate),
  skipSandbox: Type.Optional(Type.Boolean({ description: 'Leaves sandbox purchases out. Default: true' })),
}

export const RunBody = Type.Object({ ...common, key: Key }, { ...strict, title: 'ComparisonRequest' })

export const ScheduleBody = Type.Object(
  {
    ...common,
    key: Type.Optional(Key),
    dailyAt: Type.Optional(DailyAt),
    isEnabled: Type.Optional(Type.Boolean({ description: 'Default: true' })),
  },
  { ...strict, title: 'ComparisonScheduleRequest' },
)

const Counters = Type.Object(
  {
    people: Count,
    done: Count,
    equal: Count,
    differing: Count,
    listed: Count,
    refused: Count,
    withoutId: Count,
    unknownThere: Count,
    later: Count,
    undecided: Count,
    faults: Count,
    temporary: Count,
    otherStores: Type.Record(Type.String(), Count, { description: 'Purchases at stores that we do not have' }),
  },
  { ...strict, title: 'ComparisonCounters' },
)

export const RunSchema = Type.Object(
  {
    id: Type.String(),
    vendor: oneOf(VENDORS),
    url: orNull(Type.String()),
    sample: orNull(Count),
    rate: Type.Number(),
    skipSandbox: Type.Boolean(),
    isScheduled: Type.Boolean(),
    status: oneOf(RUN_STATUSES),
    counters: Counters,
    differences: Count,
    kinds: Type.Record(Type.String(), Count, { description: 'How many differences of each kind' }),
    error: orNull(Type.String()),
    startedAt: time,
    finishedAt: orNull(time),
  },
  { ...strict, title: 'Comparison' },
)

export const FindingSchema = Type.Object(
  {
    subscriberId: orNull(Type.String({ description: 'Null for a person who is not here' })),
    person: Type.String({ description: 'The id by which the vendor was asked' }),
    kind: oneOf(ROW_KINDS),
    identifier: Type.String({ description: 'An access, or a product of a store' }),
    ours: Type.String(),
    theirs: Type.String(),
    rule: orNull(Type.String({ description: 'The rule of explain, at the instant of their answer' })),
    reason: Type.String(),
    purchaseId: orNull(Type.String()),
  },
  { ...strict, title: 'ComparisonFinding' },
)

export const ScheduleSchema = Type.Object(
  {
    id: Type.String(),
    vendor: oneOf(VENDORS),
    url: orNull(Type.String()),
    keyLast4: Type.String({ description: 'The end of the key' }),
    sample: orNull(Count),
    rate: Type.Number(),
    skipSandbox: Type.Boolean(),
    dailyAt: Type.String(),
    isEnabled: Type.Boolean(),
    nextRunAt: orNull(time),
    ...REVISED,
  },
  { ...strict, title: 'ComparisonSchedule' },
)
