import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { areasOf, hasWord, textsOf } from '../support/console-texts'

const CONSOLE = join(import.meta.dir, '../../src/console')

/** Names of products and formats, codes, and units: the same in every language. */
const NAMES = new Set(
  [
    'App Store',
    'Google Play',
    'Google',
    'GitHub',
    'iOS',
    'Android',
    'Amazon',
    'Web',
    'Webhook',
    'Issuer ID',
    'ID',
  ].concat(['API', 'JSON', 'MRR', 'SQL', 'USD', 'CSV', 'Apple Pay', 'Google Pay', 'PayPal', 'Link']),
)

/** Words that a language writes as English does. */
const SAME: Record<string, Set<string>> = {
  tr: new Set(['Net', 'Plan', 'Platform']),
  de: new Set(
    [
      'Attribution',
      'Browser',
      'Bucket',
      'Chat',
      'Code',
      'Definition',
      'Domains',
      'Experiment',
      'Export',
      'Filter',
      'Flag',
    ].concat(
      ['Flags', 'Format', 'Funnel', 'Funnels', 'Import', 'In USD', 'Link', 'Live', 'Median', 'Name', 'Operator'],
      ['Passkeys', 'Person', 'Push', 'Rate', 'Region', 'Sandbox', 'Slug', 'Staging', 'Status', 'Store', 'Stores'],
      ['Subscription', 'Test: 7', 'Text', 'Token', 'Tokens', 'Webhooks', 'optional'],
      ['Hostname', 'Information', 'Ring', 'Version', 'Wallets'],
    ),
  ),
  ja: new Set(),
}

for (const [language, same] of Object.entries(SAME)) {
  test(`no English text is left in ${language}, and none is empty`, async () => {
    const left: string[] = []
    for (const area of areasOf('en')) {
      const english = await textsOf('en', area)
      for (const [place, text] of await textsOf(language, area)) {
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
  for (const language of Object.keys(SAME)) expect(areasOf(language)).toEqual(areasOf('en'))
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
