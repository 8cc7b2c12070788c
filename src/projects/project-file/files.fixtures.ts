// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of project files have this form.
import fc from 'fast-check'
import { funnelSections } from './files-funnels.fixtures'
import { targetingSections } from './files-targeting.fixtures'

type Members = Record<string, unknown>

// Few names, so that two files often name the same objects. Some of them are difficult to write in YAML.
const NAMES = ['a', 'b', 'c', '007', 'null', '$svc', 'x.y-z', '1e3']
const name = fc.constantFrom(...NAMES)

/** Ordinary text, and text with unusual characters. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom(
      'yes',
      'null',
      '~',
      '1.0',
      '- x',
      '#x',
      ' lead',
      'trail ',
      'a: b',
      'a\nb\n',
      "it's",
      '"',
      '\u2028',
      '$${env:X}',
      '\ta',
      'a\rb',
      'a\u0085b',
      'a\u0007\u001b',
      'a\u00a0',
      '\ufeffa',
      '---',
      '|',
    ),
  )
  .filter((value) => value.trim() !== '' && value.isWellFormed() && !value.includes('\0'))

const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }).map((value) => clean(value))

/** JSON that a database returns unchanged: no lone surrogates, no NUL, no -0, only exact integers. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '')
  if (typeof value === 'number') return Number.isInteger(value) ? Math.trunc(value % 1e9) + 0 : Math.fround(value % 1e6)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), clean(member)]))
}

const metadata = fc.dictionary(fc.constantFrom('b', 'a', '1', 'Ä', 'key with space'), json, { maxKeys: 3 })

const section = (object: fc.Arbitrary<Members>) => fc.dictionary(name, object, { maxKeys: 5 })

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const access = fc.record({ displayName: text, description: optional(text), metadata: optional(metadata) })

const currency = fc.record({ name: text, clawback: optional(fc.constantFrom('none', 'available', 'full')) })

const storeId = fc.constantFrom(...Array.from({ length: 40 }, (_, index) => `com.x.${index}`))

const product = (accesses: readonly string[], currencies: readonly string[]) =>
  fc.record({
    type: fc.constantFrom('SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE'),
    displayName: text,
    period: optional(fc.constantFrom('P1M', 'P1Y', 'P2W')),
    price: optional(
      fc.record({ amountMicros: fc.integer({ min: 1, max: 1e15 }), currency: fc.constantFrom('USD', 'JPY') }),
    ),
    storeIds: optional(fc.record({ ios: optional(storeId), android: optional(storeId), payment: optional(storeId) })),
    androidBasePlanId: optional(fc.constantFrom('monthly', 'yearly')),
    access: optional(fc.subarray([...accesses])),
    isActive: optional(fc.boolean()),
    metadata: optional(metadata),
    grants: optional(
      fc.subarray([...currencies]).map((codes) => codes.map((code) => ({ currency: code, amount: 7, on: 'PURCHASE' }))),
    ),
  })

const offering = (products: readonly string[]) =>
  fc.record({
    metadata: optional(metadata),
    packages: optional(
      fc.subarray([...products]).chain((slots) =>
        fc.tuple(
          ...slots.map((slot) =>
            fc.record({
              identifier: fc.constant(`$${slot}`),
              product: fc.constant(slot),
              order: optional(fc.integer({ min: -3, max: 3 })),
              promoted: optional(fc.boolean()),
            }),
          ),
        ),
      ),
    ),
  })

/** The content of a project file in which all references exist. Two products may have the same store id. */
export const fileContent: fc.Arbitrary<Members> = fc
  .record({ access: section(access), virtualCurrencies: section(currency) })
  .chain((base) =>
    section(product(Object.keys(base.access), Object.keys(base.virtualCurrencies))).chain((products) =>
      section(offering(Object.keys(products))).chain((offerings) =>
        targetingSections(text, json, Object.keys(offerings))
          .chain((targeting) => funnelSections(text, Object.keys(offerings), targeting))
          .map((targeting) => ({ version: 1, ...base, products, offerings, ...targeting })),
      ),
    ),
  )
  .map((content) => JSON.parse(JSON.stringify(content)) as Members) // Removes members that are undefined.
