import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const CONSOLE = join(import.meta.dir, '../../src/console')
const TEXT = join(CONSOLE, 'text')
const AREAS = readdirSync(join(TEXT, 'en')).map((file) => file.replace('.ts', ''))

/** Names of products and formats, codes, and units: the same in every language. */
const NAMES = new Set(
  ['App Store', 'Google Play', 'Google', 'GitHub', 'iOS', 'Android', 'Web', 'Webhook', 'Issuer ID', 'ID'].concat([
    'API',
    'JSON',
    'MRR',
    'SQL',
    'USD',
    'CSV',
  ]),
)

/** Words that a language writes as English does. */
const SAME: Record<string, Set<string>> = {
  tr: new Set(['Net', 'Platform']),
  de: new Set(
    ['Attribution', 'Browser', 'Bucket', 'Chat', 'Code', 'Definition', 'Experiment', 'Export', 'Filter', 'Flag'].concat(
      ['Flags', 'Format', 'Funnel', 'Funnels', 'Import', 'In USD', 'Link', 'Live', 'Median', 'Name', 'Operator'],
      ['Passkeys', 'Person', 'Push', 'Rate', 'Region', 'Sandbox', 'Slug', 'Staging', 'Status', 'Store', 'Stores'],
      ['Subscription', 'Test: 7', 'Text', 'Token', 'Tokens', 'Webhooks', 'optional'],
    ),
  ),
  ja: new Set(),
}

/** Every text of a file by its place. A text that takes arguments is made with numbers, or with words where it needs them. */
function textsIn(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value === 'function') return textsIn(madeBy(value as Maker), `${place}()`)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, below]) => textsIn(below, place === '' ? name : `${place}.${name}`))
}

type Maker = (...values: unknown[]) => unknown

function madeBy(maker: Maker): unknown {
  const tried = [7, '7', ['7']].map((value) => {
    try {
      return maker(...Array.from({ length: maker.length }, () => value))
    } catch {
      return null
    }
  })
  return tried.find((text) => typeof text === 'string')
}

const read = async (language: string, area: string): Promise<Map<string, string>> =>
  new Map(textsIn((await import(join(TEXT, language, `${area}.ts`))).texts))

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text)

for (const [language, same] of Object.entries(SAME)) {
  test(`no English text is left in ${language}, and none is empty`, async () => {
    const left: string[] = []
    for (const area of AREAS) {
      const english = await read('en', area)
      for (const [place, text] of await read(language, area)) {
        const before = english.get(place) ?? ''
        if (text.trim() === '' && before.trim() !== '') left.push(`${area} ${place} is empty`)
        if (text !== before || !hasWord(text) || NAMES.has(text) || same.has(text)) continue
        left.push(`${area} ${place}: ${text}`)
      }
    }
    expect(left).toEqual([])
  })
}

test('every language has the same files', () => {
  for (const language of Object.keys(SAME))
    expect(readdirSync(join(TEXT, language)).sort()).toEqual(readdirSync(join(TEXT, 'en')).sort())
})

const PROPS = 'children|label|title|purpose|hint|alt|reason|"aria-label"|submit'

test('no screen writes a text of its own', async () => {
  const compiler = new Bun.Transpiler({ loader: 'tsx' })
  const found: string[] = []
  for (const file of new Bun.Glob('**/*.tsx').scanSync(CONSOLE)) {
    // What it shows when nothing else can be shown: the texts may be what is missing.
    if (file === 'shell/screen-boundary.tsx') continue
    const code = compiler.transformSync(await Bun.file(join(CONSOLE, file)).text())
    for (const [, text = ''] of code.matchAll(new RegExp(`(?:${PROPS}): "([^"]*)"`, 'g')))
      if (isProse(text)) found.push(`${file}: ${text}`)
  }
  expect(found).toEqual([])
})

/** Two words, or one that begins as a sentence does. Codes, keys and addresses are neither. */
const isProse = (text: string): boolean => /\p{Ll}{2,} \p{L}{2,}|^\p{Lu}\p{Ll}+$/u.test(text) && !NAMES.has(text)
