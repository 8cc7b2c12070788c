import type { Money } from '../../../base/lib/money'
import { deviceKeyFault, storedKeyFault } from '../../../people/subscribers/device-key'
import type { OwnershipType, Store } from '../../../stores/observation'
import type { ImportRow, RowFault } from '../row'
import { STORE_WORDS, storeWordOf } from './canonical'
import { readNames } from './dictionary'
import { ABSENT, FieldReader, tooLong } from './fields'
import { readMicros } from './numbers'
import { planRows, type RowPlan, type RowRules } from './plan'
import { readPeriod, readProductType } from './product-words'
import { receiptFault } from './proofs'
import { AttributeReader } from './read-attributes'
import type { FileRecord } from './record'

/** Longest texts (wire 6). */
const MAX = { id: 255, product: 255, proof: 65_536, email: 254, name: 500, offer: 255 }

const MAX_SHOWN = 60

/** Reads rows by the mapping of a job. One value that cannot be read makes the whole row a fault. */
export class RowReader {
  readonly #fields: FieldReader
  readonly #plan: RowPlan
  readonly #attributes: AttributeReader

  constructor(rules: RowRules, headers: readonly string[]) {
    this.#plan = planRows(rules, headers)
    this.#fields = new FieldReader(headers, this.#plan.isGuarded)
    this.#attributes = new AttributeReader(this.#fields, this.#plan)
  }

  /** Null for a row that is to be left out. */
  read(record: FileRecord): ImportRow | RowFault | null {
    const { headers } = this.#fields
    if (record.fault !== null) return { line: record.line, column: null, message: RECORD_FAULTS[record.fault] }
    if (record.count !== headers.length) {
      const message = `The row has ${record.count} fields under a header of ${headers.length}`
      return { line: record.line, column: null, message }
    }
    this.#fields.begin(record)
    if (this.#plan.gone.some((column) => this.#fields.trimmed(column) !== '')) return null
    const row = this.#row()
    return this.#fields.fault ?? row
  }

  #row(): ImportRow {
    const fields = this.#fields
    const { columns, isEndedByCancelling } = this.#plan
    const subscriberExternalId = this.#person()
    const proofs = this.#proofs()
    const store = this.#store(proofs)
    const productIdentifier = fields.id(columns.productIdentifier, MAX.product)
    const purchaseDate = fields.instant(columns.purchaseDate)
    const refundedAt = fields.instant(columns.refundedAt)
    const cancelledAt = fields.instant(columns.cancelledAt)
    const autoRenews = fields.boolean(columns.autoRenews)
    const reserved = this.#attributes.reserved()
    const row: ImportRow = {
      line: fields.line,
      subscriberExternalId,
      deviceKey: this.#deviceKey(),
      store,
      productIdentifier,
      purchaseDate,
      ...proofs,
      storeTransactionId: fields.id(columns.storeTransactionId, MAX.id),
      isSubscription: fields.boolean(columns.isSubscription),
      expiresDate: this.#end(refundedAt),
      originalPurchaseDate: fields.instant(columns.originalPurchaseDate),
      gracePeriodExpiresDate: fields.instant(columns.gracePeriodExpiresDate),
      refundedAt,
      cancelledAt,
      billingIssueAt: fields.instant(columns.billingIssueAt),
      autoRenews: isEndedByCancelling && cancelledAt !== null ? false : autoRenews,
      autoResumeAt: fields.instant(columns.autoResumeAt),
      isTrial: fields.boolean(columns.isTrial),
      isIntroOffer: fields.boolean(columns.isIntroOffer),
      isSandbox: fields.boolean(columns.isSandbox),
      price: this.#price(),
      country: this.#country(),
      ownershipType: this.#ownership(),
      quantity: fields.whole(columns.quantity, 1),
      renewalNumber: fields.whole(columns.renewalNumber, 0),
      email: this.#email(fields.text(columns.email, MAX.email)) ?? reserved.$email ?? null,
      displayName: fields.text(columns.displayName, MAX.name) ?? reserved.$displayName ?? null,
      attributes: this.#attributes.all(),
      firstSeenAt: fields.instant(columns.firstSeenAt),
      lastSeenAt: fields.instant(columns.lastSeenAt),
      updatedAt: fields.instant(columns.updatedAt),
      offerId: fields.id(columns.offerId, MAX.offer),
      entitlements: this.#names(columns.entitlements),
      ...this.#product(),
    }
    const missing = this.#missingColumn(row)
    if (missing !== null) fields.refuse(missing, EMPTY)
    return row
  }

  /** Only proposes a product of the catalogue, so that what cannot be read is no fault of the row. */
  #product(): Pick<ImportRow, 'productName' | 'productType' | 'productPeriod'> {
    const { productName, productType, productPeriod } = this.#plan
    const name = this.#fields.hint(productName)
    const type = readProductType(this.#fields.hint(productType))
    const period = readPeriod(this.#fields.hint(productPeriod))
    return {
      ...(name !== '' && { productName: name }),
      ...(type !== null && { productType: type }),
      ...(period !== null && { productPeriod: period }),
    }
  }

  /** Ids are compared byte for byte, so that spaces around them stay. */
  #person(): string {
    const { columns, otherId } = this.#plan
    const column = columns.subscriberExternalId
    const [id, other] = [this.#named(column), this.#named(otherId)]
    const chosen = id.trim() === '' ? other : id
    if (chosen.trim() === '') this.#fields.refuse(column, otherId === ABSENT ? EMPTY : 'Both id columns are empty')
    if (chosen.length > MAX.id) this.#fields.refuse(column, tooLong(MAX.id))
    return chosen
  }

  /** In a file of ours the name of a person is exactly what they were called, whatever it looks like. */
  #named(column: number): string {
    const name = this.#fields.raw(column)
    return this.#plan.isOwnExport ? name : this.#fields.checkedId(column, name)
  }

  #deviceKey(): string | null {
    const { deviceKey: column } = this.#plan.columns
    const key = this.#named(column)
    if (key === '') return null
    const fault = this.#plan.isOwnExport ? storedKeyFault(key) : deviceKeyFault(key)
    return fault === null ? key : this.#fields.none(column, `The device key must ${fault}`)
  }

  #proofs(): Proofs {
    const { columns } = this.#plan
    const originalTransactionId = this.#fields.id(columns.originalTransactionId, MAX.id)
    const purchaseToken = this.#fields.id(columns.purchaseToken, MAX.proof)
    const given = this.#fields.id(columns.receipt, MAX.proof)?.replace(/\s/g, ' ') ?? null
    const isProvider = given !== null && PROVIDER_ID.test(given)
    const fault = given === null || isProvider ? null : receiptFault(given)
    if (fault !== null) this.#fields.refuse(columns.receipt, fault)
    const receipt = isProvider ? null : (given?.replaceAll(' ', '') ?? null)
    return { originalTransactionId, purchaseToken, receipt, providerId: isProvider ? given : this.#providerId() }
  }

  #providerId(): string | null {
    const { providerId: column } = this.#plan.columns
    const id = this.#fields.id(column, MAX.id)
    const isOfSubscriptions = this.#fields.headers[column] === 'subscription_token'
    if (id === null || (PROVIDER_ID.test(id) && (!isOfSubscriptions || id.startsWith('sub_')))) return id
    const wanted = isOfSubscriptions
      ? 'It is not the id of a subscription (sub_...)'
      : 'It is neither sub_... nor pi_...'
    return this.#fields.none(column, wanted)
  }

  #store(proofs: Proofs): Store {
    const { storeRule } = this.#plan
    if (storeRule === 'NONE') return this.#namedStore()
    if (storeRule === 'PERSON') return 'MANUAL'
    if (storeRule === 'ANDROID' || proofs.purchaseToken !== null) return 'ANDROID_STORE'
    if (proofs.providerId !== null) return 'PAYMENT'
    if (proofs.receipt === null && (storeRule === 'BY_VALUE' || proofs.originalTransactionId === null))
      this.#fields.refuse(this.#proofColumn(), EMPTY)
    return 'IOS_STORE'
  }

  #namedStore(): Store {
    const { store: column } = this.#plan.columns
    const text = this.#fields.raw(column).trim()
    if (text === '') this.#fields.refuse(column, EMPTY)
    const word = storeWordOf(this.#plan.stores.get(text.toLowerCase()) ?? text)
    if (word === null) this.#fields.refuse(column, `"${shortened(text)}" has no entry in the value map`)
    return STORE_WORDS[word ?? 'promotional']
  }

  /** The first column of a proof that the file has. */
  #proofColumn(): number {
    const { columns, storeRule } = this.#plan
    const own = storeRule === 'BY_COLUMN' ? [columns.originalTransactionId] : []
    const proofs = [...own, columns.receipt, columns.purchaseToken, columns.providerId]
    return proofs.find((column) => column !== ABSENT) ?? ABSENT
  }

  /** The column that is missing: of the product and the date, or of a proof by which the store tells them. */
  #missingColumn(row: ImportRow): number | null {
    const { columns, isSecondPass, storeRule } = this.#plan
    const { productIdentifier: product, purchaseDate: date } = columns
    if (storeRule === 'PERSON') return null
    if (isSecondPass && row.purchaseToken === null) return columns.purchaseToken
    const hasProduct = row.productIdentifier !== null
    if (row.purchaseToken !== null) return hasProduct || product === ABSENT ? null : product
    const isTold = storeRule === 'BY_COLUMN' && row.originalTransactionId !== null
    if (row.receipt !== null || row.providerId !== null || isTold) return null
    if (hasProduct && row.purchaseDate !== null) return null
    const missing = hasProduct || product === ABSENT ? date : product
    return missing === ABSENT ? this.#proofColumn() : missing
  }

  /** The vendor leaves the end empty for what does not renew by itself; the other column has it, or the refund. */
  #end(refundedAt: number | null): number | null {
    const { columns, otherEnd } = this.#plan
    const end = this.#fields.instant(columns.expiresDate)
    return end !== null || refundedAt !== null ? end : this.#fields.instant(otherEnd)
  }

  #price(): Money | null {
    const { price: column, currency: currencyColumn } = this.#plan.columns
    const text = this.#fields.trimmed(column)
    const currency = this.#fields.trimmed(currencyColumn).toUpperCase()
    if (currency !== '' && !/^[A-Z]{3}$/.test(currency))
      return this.#fields.none(currencyColumn, 'It is not the three letters of a currency')
    if (text === '') return null
    const amountMicros = readMicros(text, currency === '' ? null : currency)
    if (amountMicros === null) return this.#fields.none(column, 'It is not an amount')
    if (currency !== '') return { amountMicros, currency }
    return amountMicros === 0
      ? null
      : this.#fields.none(currencyColumn === ABSENT ? column : currencyColumn, NO_CURRENCY)
  }

  #country(): string | null {
    const country = this.#fields.trimmed(this.#plan.columns.country).toUpperCase()
    if (country === '' || /^[A-Z]{2}$/.test(country)) return country === '' ? null : country
    return this.#fields.none(this.#plan.columns.country, 'It is not the two letters of a country')
  }

  #ownership(): OwnershipType | null {
    const word = this.#fields.trimmed(this.#plan.columns.ownershipType).toUpperCase()
    if (word === 'PURCHASED' || word === 'FAMILY_SHARED') return word
    if (word === '' || word === 'UNKNOWN') return null
    return this.#fields.none(this.#plan.columns.ownershipType, 'It is neither PURCHASED nor FAMILY_SHARED')
  }

  #email(email: string | null): string | null {
    if (email === null || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email
    return this.#fields.none(this.#plan.columns.email, 'It is not an e-mail address')
  }

  #names(column: number): readonly string[] | null {
    const text = this.#fields.trimmed(column)
    return text === '' ? null : (readNames(text) ?? this.#fields.none(column, 'It is not a list of names'))
  }
}

type Proofs = Pick<ImportRow, 'originalTransactionId' | 'purchaseToken' | 'receipt' | 'providerId'>

const PROVIDER_ID = /^(sub|pi)_[A-Za-z0-9_]{1,250}$/

const EMPTY = 'A required value is empty'
const NO_CURRENCY = 'A price needs its currency'

const RECORD_FAULTS = {
  OPEN_QUOTE: 'A quote of this row is never closed',
  TOO_LONG: 'The row is longer than 1 MiB; a quote may be missing',
  NOT_UTF8: 'The row is not UTF-8',
  NO_OBJECT: 'The row is not a JSON object in one line',
  STRANGE_MEMBER: 'The row has a member that the first rows of the file do not have',
}

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
