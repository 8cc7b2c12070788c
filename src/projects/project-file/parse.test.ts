// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of project files have this form.
import { expect, test } from 'bun:test'
import { SECTIONS } from '../../../test/support/sections'
import { ACCESS } from '../catalog/project-file/access'
import { OFFERINGS } from '../catalog/project-file/offerings'
import { PRODUCTS } from '../catalog/project-file/product-form'
import { FileReader } from './file-reader'
import type { SectionKey } from './model'
import { problemsOf as problemsIn, wantedIn } from './parse.fixtures'
import { buildTree, countTokens, readTree } from './tree'

const problemsOf = (text: string): string[] => problemsIn(SECTIONS, text)

const wanted = <Entry>(key: SectionKey<unknown, Entry>, text: string) => wantedIn(SECTIONS, key, text)

const cases: [fact: string, text: string, problems: string[]][] = [
  ['version is needed', 'access: {}', ['1:1  VALIDATION_ERROR version is missing']],
  ['another version is refused', 'version: 2', ['1:1 version VALIDATION_ERROR This svc reads files of version: 1']],
  ['a file is a mapping', '- a', ['1:1  VALIDATION_ERROR A project file is a mapping that begins with version: 1']],
  [
    'an empty file is not a file',
    '',
    ['1:1  VALIDATION_ERROR A project file is a mapping that begins with version: 1'],
  ],
  [
    'an unknown section is told with the likely one',
    'version: 1\nproduct: {}',
    ['2:1 product VALIDATION_ERROR Unknown key "product"; did you mean products?'],
  ],
  [
    'an unknown member is told with the likely one',
    'version: 1\naccess:\n  pro: { displayNam: Pro, displayName: Pro }',
    ['3:10 access.pro.displayNam VALIDATION_ERROR Unknown key "displayNam"; did you mean displayName?'],
  ],
  [
    'an empty section is not a wish to delete everything',
    'version: 1\nproducts:',
    ['2:1 products VALIDATION_ERROR products is empty; write {} to say that there is nothing, or leave it out'],
  ],
  [
    'a key that stands twice',
    'version: 1\naccess:\n  1: { displayName: A }\n  "1": { displayName: B }',
    ['4:3 access.1 VALIDATION_ERROR "1" stands here twice'],
  ],
  [
    'broken YAML',
    'version: 1\naccess: [',
    ['2:10  VALIDATION_ERROR Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  [
    'an unquoted number is not text',
    'version: 1\naccess:\n  pro: { displayName: 500 }',
    ['3:10 access.pro.displayName VALIDATION_ERROR This must be text; put it in quotes'],
  ],
  [
    'an identifier keeps to its letters',
    'version: 1\naccess:\n  "my pro": { displayName: Pro }\n  __proto__: { displayName: Pro }',
    [
      '3:3 access.my pro VALIDATION_ERROR An identifier has 1 to 64 letters, digits, $, _, . and -',
      '4:3 access.__proto__ VALIDATION_ERROR An identifier has 1 to 64 letters, digits, $, _, . and -',
    ],
  ],
  [
    'a period is a period',
    'version: 1\nproducts:\n  a: { type: SUBSCRIPTION, displayName: A, period: 1M }',
    [
      '3:44 products.a.period VALIDATION_ERROR This must be an ISO 8601 period of whole years, months, weeks or days, like P1M',
    ],
  ],
  [
    'a type is one of three',
    'version: 1\nproducts:\n  a: { type: subscription, displayName: A }',
    ['3:8 products.a.type VALIDATION_ERROR This must be one of SUBSCRIPTION, CONSUMABLE, NON_CONSUMABLE'],
  ],
  [
    'only a subscription grants on renewal',
    'version: 1\nproducts:\n  a:\n    type: CONSUMABLE\n    displayName: A\n    grants:\n      - { currency: gems, amount: 1, on: RENEWAL }\n      - { currency: gems, amount: 1, on: BOTH }',
    [
      '7:9 products.a.grants[0] CURRENCY_GRANT_INVALID Only a subscription can grant on renewal',
      '8:9 products.a.grants[1] CURRENCY_GRANT_INVALID Only a subscription can grant on renewal',
      '8:9 products.a.grants[1] CURRENCY_GRANT_INVALID This currency is granted twice on the same trigger',
    ],
  ],
  [
    'package identifiers differ within an offering',
    'version: 1\nofferings:\n  a: { packages: [{ identifier: x, product: p }, { identifier: x, product: p }] }',
    ['3:8 offerings.a.packages VALIDATION_ERROR Two packages are called x'],
  ],
  [
    'only one object can have been another',
    'version: 1\naccess:\n  a: { displayName: A, was: c }\n  b: { displayName: B, was: c }',
    ['4:3 access.b VALIDATION_ERROR Two objects say that they were c'],
  ],
  [
    'an origin has no path',
    'version: 1\nproject: { allowedOrigins: ["https://a.example/x"] }',
    ['2:29 project.allowedOrigins[0] ORIGIN_INVALID An origin is scheme, host and optional port, nothing else'],
  ],
  [
    'a setting stays in its range',
    'version: 1\nproject: { timezone: Mars/Olympus, settings: { holdoutPercentage: 101, sandboxAces: nobody } }',
    [
      '2:12 project.timezone VALIDATION_ERROR This must be a time zone like Europe/Istanbul or UTC',
      '2:48 project.settings.holdoutPercentage VALIDATION_ERROR This must be a number from 0 to 100',
      '2:72 project.settings.sandboxAces VALIDATION_ERROR Unknown key "sandboxAces"; did you mean sandboxAccess?',
    ],
  ],
  [
    'the currency of reports is one that is in use',
    'version: 1\nproject: { settings: { reportCurrency: QQQ } }',
    ['2:24 project.settings.reportCurrency VALIDATION_ERROR This must be the code of a currency like EUR or USD'],
  ],
  [
    'a sixth address to forward to is too many',
    `version: 1\nstores:\n  ios: { bundleId: com.x, notificationForwards: [${'https://a.example, '.repeat(6)}] }`,
    ['3:27 stores.ios.notificationForwards NOTIFICATION_FORWARD_LIMIT At most 5 addresses'],
  ],
  [
    'notifications are forwarded over https only',
    'version: 1\nstores:\n  ios: { bundleId: com.x, notificationForwards: [http://a.example] }',
    [
      '3:50 stores.ios.notificationForwards[0] WEBHOOK_URL_REJECTED Notifications are forwarded to https addresses without userinfo',
    ],
  ],
  [
    'a placeholder is the whole value',
    'version: 1\nstores:\n  payment: { mode: test, secretKey: "sk_${env:A}", webhookSecret: w }',
    ['3:26 stores.payment.secretKey VALIDATION_ERROR A placeholder must be the whole value'],
  ],
  [
    'a variable that is not set is named, in the place of a text, a number, a choice and a part of JSON',
    'version: 1\nproject: { name: "${env:A}", settings: { holdoutPercentage: "${env:B}" } }\nproducts:\n  p: { type: "${env:C}", displayName: P }\nflags:\n  f: { type: JSON, environments: { PROD: { default: ["${env:D}"] } } }',
    [
      '2:12 project.name',
      '2:42 project.settings.holdoutPercentage',
      '4:8 products.p.type',
      '6:54 flags.f.environments.PROD.default[0]',
    ].map((place, index) => `${place} VALIDATION_ERROR ${'ABCD'[index]} is not set`),
  ],
  [
    'a connected account takes no keys, and keys no account',
    'version: 1\nstores:\n  payment: { mode: test, accountId: acct_1, secretKey: s, webhookSecret: w }',
    ['secretKey', 'webhookSecret'].map(
      (name, index) =>
        `3:${[45, 59][index]} stores.payment.${name} VALIDATION_ERROR A connected account has no keys of its own here: leave this out, or leave out accountId`,
    ),
  ],
  [
    'a connected account has an id of the provider',
    'version: 1\nstores:\n  payment: { mode: test, accountId: sleep-app }',
    [
      '3:26 stores.payment.accountId VALIDATION_ERROR This must be the id of a connected account, like acct_1Nv0FGQ9RKHgCVdK',
    ],
  ],
  [
    'an account of either kind is needed',
    'version: 1\nstores:\n  payment: { mode: live, webhookSecret: w }',
    ['3:3 stores.payment VALIDATION_ERROR secretKey is missing'],
  ],
  [
    'NUL is no text',
    'version: 1\naccess:\n  a: { displayName: "a\\0" }',
    ['3:21 access.a.displayName VALIDATION_ERROR This text holds NUL or an unpaired surrogate'],
  ],
  [
    'a number that JSON cannot hold exactly',
    'version: 1\naccess:\n  a: { displayName: A, metadata: { n: 9007199254740993 } }',
    ['3:39 access.a.metadata.n VALIDATION_ERROR This number is beyond ±(2^53-1); write it as text in quotes'],
  ],
]
for (const [fact, text, problems] of cases) test(fact, () => expect(problemsOf(text)).toEqual(problems))

test('a variable stands for a text, a number or a choice, and a $ more says that none is meant', () => {
  const values: Record<string, string> = { NAME: ' 007 ', SIZE: '30', TYPE: 'CONSUMABLE', EMPTY: ' ' }
  const sources = { env: (name: string) => values[name] ?? null, file: () => null }
  const read = (text: string) => wantedIn(SECTIONS, PRODUCTS, `version: 1\nproducts:\n  ${text}`, sources)
  expect(read('p: { type: "${env:TYPE}", displayName: "${env:NAME}" }')).toMatchObject([
    { state: { type: 'CONSUMABLE', displayName: '007' } },
  ])
  expect(read('p: { type: CONSUMABLE, displayName: "$${env:NAME}" }')).toMatchObject([
    { state: { displayName: '${env:NAME}' } },
  ])
  expect(() => read('p: { type: CONSUMABLE, displayName: "${env:EMPTY}" }')).toThrow('EMPTY is not set')
})

test('a tree that comes from another thread is as it was, or has the same problems', async () => {
  const long = Array.from({ length: 300 }, (_, n) => `  a${n}: { displayName: "${n}", x: [1, -0, 1e3] } # ${n}\n`).join(
    '',
  )
  const numbers = 'a: 9007199254740993\nb: 99999999999999999999\nc: [-9007199254740993, true, null, ""]\n__proto__: 1\n'
  const texts = [...cases.map(([, text]) => text), long, numbers, 'a: 1\n---\nb: 2\n', '\n\na: [1, *x, "\n']
  const reader = new FileReader()
  for (const text of texts) {
    const padded = `${text}\n# ${'x'.repeat(9000)}` // Short ones are not sent to the thread.
    const { tree, tokens } = await reader.read({ text: padded, most: 1_000_000 })
    expect(tree()).toEqual(buildTree(padded))
    expect(tokens).toBe(countTokens(padded, 1_000_000))
    expect(readTree(padded, () => true, tree() ?? undefined)).toEqual(readTree(padded, () => true))
  }
  expect((await reader.read({ text: long, most: 100 })).tree()).toBeNull()
  await reader.close()
})

test('others are served while a long text is read', async () => {
  const text = Array.from({ length: 6000 }, (_, n) => `a${n}: { b: ${n} }\n`).join('')
  const reader = new FileReader()
  let served = 0
  const timer = setInterval(() => served++, 1)
  try {
    await reader.read({ text, most: 1_000_000 })
    expect(served).toBeGreaterThan(1)
  } finally {
    clearInterval(timer)
    await reader.close()
  }
})

test('all problems are told at once, in the order of the lines', () => {
  const lines = problemsOf('version: 3\nprojct: {}\naccess:\n  a: {}\n  b: { displayName: "" }').map(
    (line) => line.split(' ')[0],
  )
  expect(lines).toEqual(['1:1', '2:1', '4:3', '5:8'])
})

test('absent members take their defaults, and null counts as absent', () => {
  const text =
    'version: 1\naccess: { a: { displayName: A, description: null } }\nproducts: { p: { type: CONSUMABLE, displayName: P } }\nofferings: { o: }'
  expect(wanted(ACCESS, text)?.[0]?.state).toEqual({ displayName: 'A', description: null, metadata: {} })
  expect(wanted(PRODUCTS, text)?.[0]?.state).toMatchObject({
    isActive: true,
    accessIds: [],
    grants: [],
    storeIds: { ios: null, android: null, payment: null },
  })
  expect(wanted(OFFERINGS, text)?.[0]?.state).toEqual({ isDefault: false, packages: [], metadata: {} })
})

test('absent sections are told from empty ones', () => {
  const text = 'version: 1\naccess: {}'
  expect(wanted(ACCESS, text)).toEqual([])
  expect(wanted(PRODUCTS, text)).toBeNull()
})

test('names that look like numbers or null are names', () => {
  const text = 'version: 1\naccess:\n  007: { displayName: A }\n  1e3: { displayName: B }\n  null: { displayName: C }'
  expect(wanted(ACCESS, text)?.map(({ name }) => name)).toEqual(['007', '1e3', 'null'])
})

test('packages stand by their order, and by their place where they have none', () => {
  const text =
    'version: 1\nofferings:\n  o: { packages: [{ identifier: c, product: p, order: 9 }, { identifier: b, product: p }, { identifier: a, product: p, order: -1 }] }'
  expect(wanted(OFFERINGS, text)?.[0]?.state.packages.map(({ identifier, order }) => [identifier, order])).toEqual([
    ['a', -1],
    ['b', 1],
    ['c', 9],
  ])
})

test('JSON is read as well', () => {
  const text = '{\n\t"version": 1,\n\t"access": {\n\t\t"a": { "displayName": "A\\u00e9" }\n\t}\n}'
  expect(wanted(ACCESS, text)?.[0]?.state.displayName).toBe('Aé')
})

test('anchors are followed, but not without end', () => {
  expect(wanted(ACCESS, 'version: 1\naccess:\n  a: &a { displayName: A }\n  b: *a')).toHaveLength(2)
  expect(problemsOf('version: 1\naccess: &x\n  a: *x')[0]).toContain('nested too deep')
  const doubled = Array.from({ length: 30 }, (_, n) =>
    `  k${n}: ${n === 0 ? '[1]' : `&n${n} [*n${n - 1}, *n${n - 1}]`}`.replace('k0: [1]', 'k0: &n0 [1]'),
  )
  expect(problemsOf(`version: 1\naccess:\n${doubled.join('\n')}`)).toHaveLength(1)
})
