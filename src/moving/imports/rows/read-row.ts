import type { Money } from '../../../base/lib/money'
import { deviceKeyFault } from '../../../people/subscribers/device-key'
import type { OwnershipType, Store } from '../../../stores/observation'
import type { ImportKind, ImportMapping } from '../model'
import type { ImportRow, RowFault } from '../row'
import { type Attributes, type AttributesRead, checkAttributes, NO_ATTRIBUTES, readAttributes } from './attributes'
import { type Canonical, CANONICAL, STORE_WORDS, storeWordOf } from './canonical'
import { readNames } from './dictionary'
import { readInstant } from './instants'
import { readBoolean, readMicros, readWhole } from './numbers'
import type { AttributeForm, Preset, StoreRule } from './presets'
import { receiptFault } from './proofs'
import type { FileRecord } from './record'

/** Longest texts (wire 6). */
const MAX = { id: 255, product: 255, proof: 65_536, email: 254, name: 500, offer: 255, word: 64 }

const ABSENT = -1
const MAX_SHOWN = 60

/** What a job says about the rows of its files. */
export interface RowRules {
  kind: ImportKind
  preset: Preset | null
  mapping: ImportMapping
}

/** Reads rows by the mapping of a job. One value that cannot be read makes the whole row a fault. */
export class RowReader {
  readonly #headers: readonly string[]
  readonly #columns: Readonly<Record<Canonical, number>>
  readonly #storeRule: StoreRule
  readonly #form: AttributeForm
  readonly #isSecondPass: boolean
  readonly #stores: ReadonlyMap<string, string>
  /** Special columns of presets. */
  readonly #otherId: number
  readonly #otherEnd: number
  readonly #reserved: number
  readonly #isEndedByCancelling: boolean
  readonly #attributeColumns: readonly number[]
  /** Many rows of one person have the same text. */
  readonly #lastAttributes: { text: string; read: AttributesRead }[] = []
  #record: FileRecord = NO_RECORD
  #fault: RowFault | null = null

  constructor({ kind, preset, mapping }: RowRules, headers: readonly string[]) {
    const at = (header: string | undefined) => (header === undefined ? ABSENT : headers.indexOf(header))
    const isProposed = (name: Canonical) => preset?.columns[name]?.includes(mapping.columns[name] ?? '') ?? false
    this.#headers = headers
    this.#columns = Object.fromEntries(CANONICAL.map((name) => [name, at(mapping.columns[name])])) as Record<
      Canonical,
      number
    >
    this.#isSecondPass = kind === 'ANDROID_TOKEN_ENRICHMENT'
    this.#storeRule = this.#columns.store === ABSENT ? (preset?.storeRule ?? 'NONE') : 'NONE'
    this.#form = isProposed('attributes') ? (preset?.attributes ?? 'PLAIN') : 'PLAIN'
    this.#stores = new Map(Object.entries(mapping.valueMap.store ?? {}).map(([from, to]) => [from.toLowerCase(), to]))
    const isVendor = preset?.name === 'revenuecat_v5'
    this.#otherId = isVendor && isProposed('subscriberExternalId') ? at('rc_original_app_user_id') : ABSENT
    this.#otherEnd = isVendor && isProposed('expiresDate') ? at('effective_end_time') : ABSENT
    this.#reserved = isVendor ? at('reserved_subscriber_attributes') : ABSENT
    this.#isEndedByCancelling = isVendor && isProposed('autoRenews')
    const mapped = new Set(Object.values(this.#columns))
    this.#attributeColumns =
      preset?.name === 'revenuecat_receipts' && this.#columns.attributes === ABSENT
        ? headers.flatMap((header, place) => (mapped.has(place) || header === '' ? [] : [place]))
        : []
  }

  read(record: FileRecord): ImportRow | RowFault {
    this.#record = record
    this.#fault = null
    if (record.fault !== null) return { line: record.line, column: null, message: RECORD_FAULTS[record.fault] }
    if (record.count !== this.#headers.length) {
      const message = `The row has ${record.count} fields under a header of ${this.#headers.length}`
      return { line: record.line, column: null, message }
    }
    const row = this.#row()
    return this.#fault ?? row
  }

  #row(): ImportRow {
    const subscriberExternalId = this.#person()
    const proofs = this.#proofs()
    const store = this.#store(proofs)
    const productIdentifier = this.#text('productIdentifier', MAX.product)
    const purchaseDate = this.#instant('purchaseDate')
    const refundedAt = this.#instant('refundedAt')
    const cancelledAt = this.#instant('cancelledAt')
    const autoRenews = this.#boolean('autoRenews')
    const reserved = this.#reservedAttributes()
    const row: ImportRow = {
      line: this.#record.line,
      subscriberExternalId,
      deviceKey: this.#deviceKey(),
      store,
      productIdentifier,
      purchaseDate,
      ...proofs,
      storeTransactionId: this.#text('storeTransactionId', MAX.id),
      isSubscription: this.#boolean('isSubscription'),
      expiresDate: this.#end(refundedAt),
      originalPurchaseDate: this.#instant('originalPurchaseDate'),
      gracePeriodExpiresDate: this.#instant('gracePeriodExpiresDate'),
      refundedAt,
      cancelledAt,
      billingIssueAt: this.#instant('billingIssueAt'),
      autoRenews: this.#isEndedByCancelling && cancelledAt !== null ? false : autoRenews,
      autoResumeAt: this.#instant('autoResumeAt'),
      isTrial: this.#boolean('isTrial'),
      isIntroOffer: this.#boolean('isIntroOffer'),
      isSandbox: this.#boolean('isSandbox'),
      price: this.#price(),
      country: this.#country(),
      ownershipType: this.#ownership(),
      quantity: this.#whole('quantity', 1),
      renewalNumber: this.#whole('renewalNumber', 0),
      email: this.#email(this.#text('email', MAX.email)) ?? reserved.$email ?? null,
      displayName: this.#text('displayName', MAX.name) ?? reserved.$displayName ?? null,
      attributes: this.#attributes(),
      firstSeenAt: this.#instant('firstSeenAt'),
      lastSeenAt: this.#instant('lastSeenAt'),
      updatedAt: this.#instant('updatedAt'),
      offerId: this.#text('offerId', MAX.offer),
      entitlements: this.#names('entitlements'),
    }
    this.#requireFacts(row)
    return row
  }

  /** Ids are compared byte for byte, so that spaces around them stay. */
  #person(): string {
    const { subscriberExternalId: column } = this.#columns
    const [id, other] = [this.#raw(column), this.#otherId === ABSENT ? '' : this.#raw(this.#otherId)]
    const chosen = id.trim() === '' ? other : id
    if (chosen.trim() === '') this.#refuse(column, this.#otherId === ABSENT ? EMPTY : 'Both id columns are empty')
    if (chosen.length > MAX.id) this.#refuse(column, tooLong(MAX.id))
    return chosen
  }

  #deviceKey(): string | null {
    const key = this.#raw(this.#columns.deviceKey)
    if (key === '') return null
    const fault = deviceKeyFault(key)
    if (fault !== null) this.#refuse(this.#columns.deviceKey, `The device key must ${fault}`)
    return key
  }

  #proofs(): Pick<ImportRow, 'originalTransactionId' | 'purchaseToken' | 'receipt' | 'providerId'> {
    const originalTransactionId = this.#text('originalTransactionId', MAX.id)
    const purchaseToken = this.#text('purchaseToken', MAX.proof)
    const receipt = this.#text('receipt', MAX.proof)?.replace(/\s/g, '') ?? null
    const providerId = this.#providerId()
    const isProvider = receipt !== null && PROVIDER_ID.test(receipt)
    if (isProvider) return { originalTransactionId, purchaseToken, receipt: null, providerId: receipt }
    const fault = receipt === null ? null : receiptFault(this.#text('receipt', MAX.proof) ?? '')
    if (fault !== null) this.#refuse(this.#columns.receipt, fault)
    return { originalTransactionId, purchaseToken, receipt, providerId }
  }

  #providerId(): string | null {
    const { providerId: column } = this.#columns
    const id = this.#text('providerId', MAX.id)
    const isSubscriptionColumn = this.#headers[column] === 'subscription_token'
    if (id !== null && isSubscriptionColumn && !id.startsWith('sub_'))
      this.#refuse(column, 'It is not the id of a subscription (sub_...)')
    else if (id !== null && !PROVIDER_ID.test(id)) this.#refuse(column, 'It is neither sub_... nor pi_...')
    return id
  }

  #store(proofs: Pick<ImportRow, 'originalTransactionId' | 'purchaseToken' | 'receipt' | 'providerId'>): Store {
    if (this.#storeRule === 'NONE') return this.#namedStore()
    if (this.#storeRule === 'ANDROID' || proofs.purchaseToken !== null) return 'ANDROID_STORE'
    if (proofs.providerId !== null) return 'PAYMENT'
    if (proofs.receipt === null && (this.#storeRule === 'BY_VALUE' || proofs.originalTransactionId === null))
      this.#refuse(this.#proofColumn(), EMPTY)
    return 'IOS_STORE'
  }

  #namedStore(): Store {
    const { store: column } = this.#columns
    const text = this.#raw(column).trim()
    if (text === '') this.#refuse(column, EMPTY)
    const word = storeWordOf(this.#stores.get(text.toLowerCase()) ?? text)
    if (word === null) this.#refuse(column, `"${shortened(text)}" has no entry in the value map`)
    return STORE_WORDS[word ?? 'promotional']
  }

  /** The first column of a proof that the file has. */
  #proofColumn(): number {
    const { receipt, purchaseToken, providerId, originalTransactionId } = this.#columns
    const own = this.#storeRule === 'BY_COLUMN' ? [originalTransactionId] : []
    return [...own, receipt, purchaseToken, providerId].find((column) => column !== ABSENT) ?? ABSENT
  }

  /** The product and the date, or a proof by which the store tells them. */
  #requireFacts({ productIdentifier, purchaseDate, purchaseToken, receipt, providerId, ...row }: ImportRow): void {
    const { productIdentifier: product, purchaseDate: date, purchaseToken: token } = this.#columns
    if (this.#isSecondPass && purchaseToken === null) return this.#refuse(token, EMPTY)
    if (purchaseToken !== null && productIdentifier === null && product !== ABSENT) return this.#refuse(product, EMPTY)
    const isTold = this.#storeRule === 'BY_COLUMN' && row.originalTransactionId !== null
    if (purchaseToken !== null || receipt !== null || providerId !== null || isTold) return
    const missing = productIdentifier === null && product !== ABSENT ? product : date
    if (productIdentifier === null || purchaseDate === null)
      this.#refuse(missing === ABSENT ? this.#proofColumn() : missing, EMPTY)
  }

  /** The vendor leaves the end empty for what does not renew by itself; the other column has it, or the refund. */
  #end(refundedAt: number | null): number | null {
    const end = this.#instant('expiresDate')
    if (end !== null || this.#otherEnd === ABSENT || refundedAt !== null) return end
    return this.#instantAt(this.#otherEnd)
  }

  #price(): Money | null {
    const { price: column, currency: currencyColumn } = this.#columns
    const text = this.#trimmed(column)
    const currency = this.#trimmed(currencyColumn).toUpperCase()
    if (currency !== '' && !/^[A-Z]{3}$/.test(currency))
      return this.#none(currencyColumn, 'It is not the three letters of a currency')
    if (text === '') return null
    const amountMicros = readMicros(text, currency === '' ? null : currency)
    if (amountMicros === null) return this.#none(column, 'It is not an amount')
    if (currency !== '') return { amountMicros, currency }
    return amountMicros === 0 ? null : this.#none(currencyColumn === ABSENT ? column : currencyColumn, NO_CURRENCY)
  }

  #country(): string | null {
    const country = this.#trimmed(this.#columns.country).toUpperCase()
    if (country === '' || /^[A-Z]{2}$/.test(country)) return country === '' ? null : country
    return this.#none(this.#columns.country, 'It is not the two letters of a country')
  }

  #ownership(): OwnershipType | null {
    const word = this.#trimmed(this.#columns.ownershipType).toUpperCase()
    if (word === 'PURCHASED' || word === 'FAMILY_SHARED') return word
    if (word === '' || word === 'UNKNOWN') return null
    return this.#none(this.#columns.ownershipType, 'It is neither PURCHASED nor FAMILY_SHARED')
  }

  #email(email: string | null): string | null {
    if (email === null || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email
    return this.#none(this.#columns.email, 'It is not an e-mail address')
  }

  #names(name: Canonical): readonly string[] | null {
    const text = this.#trimmed(this.#columns[name])
    if (text === '') return null
    const names = readNames(text)
    return names ?? this.#none(this.#columns[name], 'It is not a list of names')
  }

  #attributes(): Attributes {
    if (this.#attributeColumns.length > 0) return this.#attributesOfColumns()
    return this.#attributesAt(this.#columns.attributes, this.#form)
  }

  /** Each further column is an attribute with the name of the column. */
  #attributesOfColumns(): Attributes {
    const found: Record<string, string> = {}
    for (const column of this.#attributeColumns) {
      const value = this.#raw(column)
      if (value === '') continue
      const read = checkAttributes({ [this.#headers[column] ?? '']: value })
      if ('fault' in read) this.#refuse(column, `It ${read.fault}`)
      else Object.assign(found, read.attributes)
    }
    return found
  }

  #reservedAttributes(): Attributes {
    return this.#attributesAt(this.#reserved, 'VALUE_MEMBERS')
  }

  #attributesAt(column: number, form: AttributeForm): Attributes {
    const text = this.#trimmed(column)
    if (text === '') return NO_ATTRIBUTES
    const known = this.#lastAttributes[column]
    const read = known?.text === text ? known.read : readAttributes(text, form)
    this.#lastAttributes[column] = { text, read }
    if ('attributes' in read) return read.attributes
    this.#refuse(column, `It ${read.fault}`)
    return NO_ATTRIBUTES
  }

  #text(name: Canonical, maxLength: number): string | null {
    const column = this.#columns[name]
    const text = this.#trimmed(column)
    if (text.length > maxLength) this.#refuse(column, tooLong(maxLength))
    return text === '' ? null : text
  }

  #instant(name: Canonical): number | null {
    return this.#instantAt(this.#columns[name])
  }

  #instantAt(column: number): number | null {
    const text = this.#trimmed(column)
    if (text === '') return null
    return readInstant(text) ?? this.#none(column, 'It is not a date in a known form')
  }

  #boolean(name: Canonical): boolean | null {
    const text = this.#trimmed(this.#columns[name])
    if (text === '') return null
    return readBoolean(text) ?? this.#none(this.#columns[name], 'It must be true or false, 1 or 0')
  }

  #whole(name: Canonical, minimum: number): number | null {
    const text = this.#trimmed(this.#columns[name])
    if (text === '') return null
    const number = readWhole(text)
    if (number !== null && number >= minimum) return number
    return this.#none(this.#columns[name], `It must be a whole number from ${minimum} on`)
  }

  #trimmed(column: number): string {
    const text = this.#raw(column)
    return text === '' ? '' : text.trim()
  }

  #raw(column: number): string {
    if (column === ABSENT) return ''
    const text = this.#record.field(column)
    if (text !== null) return text
    this.#refuse(column, `It ${this.#record.fieldFault(column)}`)
    return ''
  }

  /** Only the first fault of a row is told. */
  #refuse(column: number, message: string): void {
    this.#fault ??= { line: this.#record.line, column: this.#headers[column] ?? null, message }
  }

  #none(column: number, message: string): null {
    this.#refuse(column, message)
    return null
  }
}

const PROVIDER_ID = /^(sub|pi)_[A-Za-z0-9_]{1,250}$/

const EMPTY = 'A required value is empty'
const NO_CURRENCY = 'A price needs its currency'

const RECORD_FAULTS = {
  OPEN_QUOTE: 'A quote of this row is never closed',
  TOO_LONG: 'The row is longer than 1 MiB; a quote may be missing',
}

const tooLong = (maxLength: number): string => `It has more than ${maxLength} characters`

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

const NO_RECORD: FileRecord = { line: 0, count: 0, fault: null, field: () => '', fieldFault: () => null }
