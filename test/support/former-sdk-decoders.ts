/** What each SDK's parser fails without, as sentences; an empty list is an answer that the SDK reads. */

type Members = Record<string, unknown>
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isDate: Check = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
const isNumber: Check = (value) => typeof value === 'number' && Number.isInteger(value)
const isAddress: Check = (value) => typeof value === 'string' && URL.canParse(value)
const isFlag: Check = (value) => typeof value === 'boolean'
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList: Check = (value) => Array.isArray(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value)
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(String(value))

const membersOf = (value: unknown): Members => (isObject(value) ? (value as Members) : {})

function faults(place: string, value: unknown, checks: Record<string, Check>): string[] {
  const members = membersOf(value)
  return Object.entries(checks).flatMap(([name, check]) =>
    check(members[name]) ? [] : [`${place}.${name} = ${JSON.stringify(members[name])}`],
  )
}

const each = (value: unknown, decode: (one: unknown, name: string) => string[]): string[] =>
  Object.entries(membersOf(value)).flatMap(([name, one]) => decode(one, name))

const isPrice: Check = maybe(
  (price) => typeof membersOf(price).amount === 'number' && isText(membersOf(price).currency),
)

/** The phones drop an entitlement whose product is no purchase in the answer. */
function dropped(subscriber: unknown): string[] {
  const { subscriptions, non_subscriptions, entitlements } = membersOf(subscriber)
  const known = { ...membersOf(subscriptions), ...membersOf(non_subscriptions) }
  return each(entitlements, (one, name) => {
    const id = String(membersOf(one).product_identifier)
    return Object.hasOwn(known, id) ? [] : [`${name} points to ${id}`]
  })
}

export function decodeIosPerson(body: unknown): string[] {
  const { subscriber } = membersOf(body)
  const { subscriptions, non_subscriptions, entitlements } = membersOf(subscriber)
  return [
    ...faults('', body, { request_date: isDate, subscriber: isObject }),
    ...faults('subscriber', subscriber, {
      original_app_user_id: isText,
      first_seen: isDate,
      management_url: maybe(isAddress),
    }),
    ...each(subscriptions, (one, name) =>
      faults(name, one, { purchase_date: isDate, price: isPrice, management_url: maybe(isAddress) }),
    ),
    ...each(non_subscriptions, (list, name) =>
      (list as unknown[]).flatMap((one) =>
        faults(name, one, { purchase_date: isDate, is_sandbox: isFlag, price: isPrice }),
      ),
    ),
    ...each(entitlements, (one, name) => faults(name, one, { product_identifier: isText })),
    ...dropped(subscriber),
  ]
}

export function decodeAndroidPerson(body: unknown): string[] {
  const { subscriber } = membersOf(body)
  const { subscriptions, non_subscriptions, entitlements } = membersOf(subscriber)
  const pointed = new Set(
    Object.values(membersOf(entitlements)).map((one) => String(membersOf(one).product_identifier)),
  )
  return [
    ...faults('', body, { request_date: isDate, subscriber: isObject }),
    ...faults('subscriber', subscriber, { first_seen: isDate, subscriptions: isObject, non_subscriptions: isObject }),
    ...each(subscriptions, (one, name) =>
      faults(name, one, {
        ...{ purchase_date: isDate, store: isText, is_sandbox: isFlag, price: isPrice },
        period_type: oneOf('normal', 'intro', 'trial', 'prepaid'),
        ownership_type: oneOf('PURCHASED', 'FAMILY_SHARED', 'UNKNOWN'),
        original_purchase_date: pointed.has(name) ? isDate : maybe(isDate),
      }),
    ),
    ...each(non_subscriptions, (list, name) =>
      (list as unknown[]).flatMap((one) => faults(name, one, { id: isText, purchase_date: isDate, store: isText })),
    ),
    ...each(entitlements, (one, name) =>
      faults(name, one, { purchase_date: isDate, product_identifier: isText, expires_date: orNull(isDate) }),
    ),
    ...dropped(subscriber),
  ]
}

/** The web SDK also refuses the whole answer for an entitlement that points to nothing. */
export function decodeWebPerson(body: unknown): string[] {
  const { subscriber } = membersOf(body)
  const { subscriptions, non_subscriptions, entitlements } = membersOf(subscriber)
  const known = (id: string) =>
    id in membersOf(subscriptions) || ((membersOf(non_subscriptions)[id] as unknown[] | undefined)?.length ?? 0) > 0
  return [
    ...faults('', body, { request_date: isDate }),
    ...faults('subscriber', subscriber, {
      original_app_user_id: isText,
      first_seen: isDate,
      subscriptions: isObject,
      non_subscriptions: isObject,
    }),
    ...each(entitlements, (one, name) => {
      const id = String(membersOf(one).product_identifier)
      return known(id) ? faults(name, one, { purchase_date: isDate }) : [`${name} points to ${id}`]
    }),
  ]
}

export function decodeOfferings(body: unknown): string[] {
  const { offerings, placements } = membersOf(body)
  const list = isList(offerings) ? (offerings as unknown[]) : []
  const known = new Set(list.map((one) => membersOf(one).identifier))
  const isKnown: Check = (value) => value === null || known.has(value)
  const { offering_ids_by_placement: placed } = membersOf(placements)
  return [
    ...faults('', body, { offerings: isList, current_offering_id: orNull(isText), placements: orNull(isObject) }),
    ...faults('', body, { current_offering_id: isKnown }),
    ...(placements ? faults('placements', placements, { fallback_offering_id: isKnown }) : []),
    ...each(placed, (one, name) => (isKnown(one) ? [] : [`placement ${name} shows ${one}`])),
    ...list.flatMap((one) => [
      ...faults('offering', one, {
        ...{ identifier: isText, description: isText },
        ...{ packages: isList, metadata: orNull(isObject) },
      }),
      ...((membersOf(one).packages ?? []) as unknown[]).flatMap((slot) =>
        faults('package', slot, { identifier: isText, platform_product_identifier: isText }),
      ),
    ]),
  ]
}

const isPeriod: Check = (value) => typeof value === 'string' && /^P\d+[DWMY]$/.test(value)
const isAmount: Check = (value) =>
  Number.isSafeInteger(membersOf(value).amount_micros) && isText(membersOf(value).currency)

/** A product whose default option has no price vanishes in the app without a word. */
export function decodeProducts(body: unknown): string[] {
  const { product_details: products } = membersOf(body)
  if (!isList(products)) return [`product_details = ${JSON.stringify(products)}`]
  return (products as unknown[]).flatMap((product) => {
    const { default_purchase_option_id: id, purchase_options: options, product_type } = membersOf(product)
    const option = membersOf(options)[String(id)]
    const { base, trial } = membersOf(option)
    const isOneTime = product_type !== 'subscription'
    return [
      ...faults('product', product, {
        ...{ identifier: isText, title: isText, description: orNull(isText) },
        product_type: oneOf('subscription', 'consumable', 'non_consumable'),
      }),
      ...faults('option', option, { id: (value) => value === id, price_id: isText }),
      ...(isOneTime
        ? faults('option', option, { base_price: isAmount })
        : faults('base', base, { period_duration: isPeriod, cycle_count: isNumber, price: isAmount })),
      ...(trial ? faults('trial', trial, { period_duration: isPeriod, cycle_count: isNumber }) : []),
    ]
  })
}

const isInt32: Check = (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31

export const decodeCurrencies = (body: unknown, isAndroid: boolean): string[] => [
  ...faults('', body, { virtual_currencies: isObject }),
  ...each(membersOf(body).virtual_currencies, (one, name) =>
    faults(name, one, { balance: isAndroid ? isInt32 : isNumber, code: (code) => code === name, name: isText }),
  ),
]

export const decodeMapping = (body: unknown): string[] => [
  ...faults('', body, { product_entitlement_mapping: isObject }),
  ...each(membersOf(body).product_entitlement_mapping, (one, name) =>
    faults(name, one, { product_identifier: isText, entitlements: isList }),
  ),
]

const isSigned: Check = (value) => {
  const { nonce, signature, timestamp } = membersOf(value)
  return isText(nonce) && isText(signature) && isNumber(timestamp)
}
const isError: Check = (value) => isNumber(membersOf(value).code) && isText(membersOf(value).message)

export const decodeOffers = (body: unknown): string[] => [
  ...faults('', body, { offers: isList }),
  ...((membersOf(body).offers ?? []) as unknown[]).flatMap((one) =>
    faults('offer', one, {
      ...{ key_id: isText, offer_id: isText, product_id: isText },
      ...{ signature_data: orNull(isSigned), signature_error: orNull(isError) },
    }),
  ),
]

/** Members that an answer to a receipt may have beside those of the person. */
export const decodeBought = (body: unknown): string[] => [
  ...each(membersOf(body).purchased_products, (one, name) => faults(name, one, { should_consume: isFlag })),
  ...faults('', body, { attributes_error_response: maybe((value) => decodeRefusal(value).length === 0) }),
]

/** A refusal: an integer code, which Android reads as 0 when it is a text. */
export const decodeRefusal = (body: unknown): string[] => [
  ...faults('', body, { code: isNumber, message: isText, attribute_errors: maybe(isList) }),
  ...((membersOf(body).attribute_errors ?? []) as unknown[]).flatMap((one) =>
    faults('attribute', one, { key_name: isText, message: isText }),
  ),
]

export const decodeFlag =
  (name: string) =>
  (body: unknown): string[] =>
    faults('', body, { [name]: isFlag })

export const decodeEligibility = (body: unknown): string[] =>
  each(body, (one, name) => (one === null || isFlag(one) ? [] : [`${name} = ${one}`]))
