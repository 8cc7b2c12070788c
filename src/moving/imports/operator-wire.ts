import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { oneOf } from '../../core/schema/object'

const strict = { additionalProperties: false } as const

const STATES = [
  ...(['PENDING_MAPPING', 'DRY_RUN_RUNNING', 'DRY_RUN_COMPLETE', 'RUNNING', 'VERIFYING'] as const),
  ...(['VERIFICATION_INCOMPLETE', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNDOING'] as const),
]

export const ImportListQuery = Type.Object(listQuery, strict)

export const UploadQuery = Type.Object(
  {
    fileName: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\x00-\\x1f]+$', description: 'Shown in the list' }),
    ),
  },
  strict,
)

const MAX_HEADER = 65_536
const Header = Type.String({ maxLength: MAX_HEADER })
const Stores = Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: 64 }), { maxProperties: 1000 })

export const MappingBody = Type.Object(
  {
    columns: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Header, {
        maxProperties: 64,
        description: 'Canonical column: header of the file. Replaces all columns',
      }),
    ),
    valueMap: Type.Optional(
      Type.Object(
        { store: Type.Optional(Stores) },
        { ...strict, description: 'Value of the file: ios_store, android_store, payment or promotional' },
      ),
    ),
    options: Type.Optional(
      Type.Object(
        {
          skipSandbox: Type.Optional(Type.Boolean({ description: 'Default: true' })),
          importAnchorless: Type.Optional(
            Type.Boolean({ description: 'Rows that no store can be asked about too. Default: true' }),
          ),
          enrichUngroupedChains: Type.Optional(Type.Boolean({ description: 'Default: false' })),
        },
        strict,
      ),
    ),
  },
  { ...strict, title: 'ImportMappingChange' },
)

export const NoMembers = Type.Object({}, strict)

const count = Type.Integer({ minimum: 0 })

const Mapping = Type.Object(
  {
    columns: Type.Record(Type.String(), Type.String()),
    valueMap: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  },
  { ...strict, title: 'ImportMapping' },
)

const Amounts = Type.Object(
  { count, amountMicros: Type.Integer({ minimum: 0, description: 'Millionths of the main unit' }) },
  { ...strict, title: 'ImportForecastAmounts' },
)

const Forecast = Type.Object(
  {
    isPartial: Type.Boolean({
      description: 'Whether the file has more than two million people, purchases or charges, so that there are more',
    }),
    people: Type.Object({ all: count, new: count }, { ...strict, title: 'ImportForecastPeople' }),
    purchases: Type.Object(
      { new: count, changed: count, unchanged: count, withoutProduct: count },
      {
        ...strict,
        title: 'ImportForecastPurchases',
        description: 'withoutProduct: those of all three whose product the catalogue does not have',
      },
    ),
    toldByStore: Type.Integer({
      minimum: 0,
      description: 'Rows without any date. What they bought is known only when the store is asked',
    }),
    money: Type.Array(
      Type.Object(
        { currency: Type.String(), charged: Amounts, refunded: Amounts },
        { ...strict, title: 'ImportForecastMoney' },
      ),
      { description: 'New charges and refunds in production, by currency' },
    ),
    access: Type.Array(
      Type.Object({ identifier: Type.String(), people: count }, { ...strict, title: 'ImportForecastAccess' }),
      { description: 'People who would have the access now, and do not yet' },
    ),
  },
  { ...strict, title: 'ImportForecast' },
)

export const ImportSchema = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(['HISTORY', 'ANDROID_TOKEN_ENRICHMENT'] as const),
    status: oneOf(STATES),
    preset: orNull(Type.String({ description: 'The vendor whose columns the header has' })),
    fileName: Type.String(),
    bytes: Type.Integer({ minimum: 0 }),
    headers: Type.Array(Type.String()),
    mapping: orNull(Mapping),
    options: Type.Object(
      { skipSandbox: Type.Boolean(), importAnchorless: Type.Boolean(), enrichUngroupedChains: Type.Boolean() },
      { ...strict, title: 'ImportOptions' },
    ),
    counters: Type.Object(
      {
        ...{ rows: count, valid: count, invalid: count, warnings: count, subscribersNew: count, purchasesNew: count },
        ...{ purchasesUpdated: count, skipped: count, verified: count, unverifiable: count, remaining: count },
      },
      { ...strict, title: 'ImportCounters' },
    ),
    fileRows: orNull(
      Type.Integer({
        minimum: 0,
        description: 'Rows of the files, as the dry run has counted them; null before its end',
      }),
    ),
    forecast: orNull(Forecast),
    errors: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ description: 'The line of the file on which the row begins; the header is line 1' }),
          column: orNull(Type.String({ description: 'Header; null when the row has another number of fields' })),
          message: Type.String(),
          severity: oneOf(['ERROR', 'WARNING'] as const),
        },
        { ...strict, title: 'ImportRowError' },
      ),
      {
        description:
          'The first 1000 rows that cannot be read, and with WARNING up to 500 of those that can and about which there is something to know: one purchase that rows give to different people. A list shows none',
      },
    ),
    unknownProducts: Type.Array(
      Type.Object(
        { store: Type.String(), identifier: Type.String(), rows: count },
        { ...strict, title: 'ImportUnknownProduct' },
      ),
      { description: 'Products of the file that the catalogue does not have' },
    ),
    unverifiableFor: Type.Optional(
      Type.Array(Type.Object({ reason: Type.String(), count }, { ...strict, title: 'ImportUnverifiable' }), {
        description: 'Why purchases are not verifiable, the most frequent reasons first; absent where there are none',
      }),
    ),
    failure: orNull(Type.String({ description: 'Why the import failed or is not complete' })),
    undone: orNull(
      Type.Object(
        { purchasesRemoved: count, purchasesChanged: count, subscribersRemoved: count },
        { ...strict, title: 'ImportUndone', description: 'What was taken back so far' },
      ),
    ),
    startedBy: Type.String(),
    finishedAt: orNull(Type.String({ description: 'ISO 8601' })),
    filesDeletedAt: orNull(Type.String({ description: 'ISO 8601' })),
    undoneAt: orNull(Type.String({ description: 'ISO 8601' })),
    ...REVISED,
  },
  { ...strict, title: 'ImportJob' },
)
